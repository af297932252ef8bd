// Loads the app, gives it what it asks of a page, and hands window.warplens to scripts.
import {Address} from './address.js';
import {Chooser} from './chooser.js';
import {Embedded} from './embed.js';
import {Input} from './input.js';
import {Loop} from './loop.js';
import {Storage, write} from './storage.js';
import {both, language, words} from './words.js';

const canvas = document.getElementById('canvas'), cover = document.getElementById('cover');
const query = new URLSearchParams(location.search);
const embedded = query.has('embed');
const controls = embedded ? query.get('controls') : null;  // the author's choice of parameters, see docs/browser.md

function end(text) {
  document.getElementById('loading').textContent = text;
  document.getElementById('progress').hidden = true;
  cover.hidden = false;
}

// A module whose one function has a SIMD instruction.
const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

function trouble() {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(simd) || typeof DecompressionStream !== 'function') return 'noWasm';
  const probe = document.createElement('canvas').getContext('webgl2');
  if (probe === null) return 'noWebGl';
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return '';
}

// The bytes of a file of the site; `seen` hears how many of them have come.
async function fetchBytes(name, seen = () => {}) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const reader = answer.body.getReader(), parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    seen(size);
  }
  return new Blob(parts);
}

// Files are packed as one: a line of JSON that says where each begins, then their bytes; all of it by gzip.
async function unpack(fs, blob) {
  const plain = new Response(blob.stream().pipeThrough(new DecompressionStream('gzip')));
  const bytes = new Uint8Array(await plain.arrayBuffer());
  const line = bytes.indexOf(10);
  const paths = [];
  for (const [path, from, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, line)))) {
    write(fs, path, bytes.subarray(line + 1 + from, line + 1 + from + size));
    paths.push(path);
  }
  return paths;
}

class App {
  constructor(module) {
    this.module = module;
    this.fs = module.FS;
  }
  text(name, ...args) { return this.module.ccall(name, 'string', args.map(() => 'string'), args); }
  answer(name, ...args) { return JSON.parse(this.text(name, ...args) || 'null'); }
  link() { return this.text('wl_link'); }
  state() { return this.answer('wl_state'); }
  act(text) { return this.answer('wl_act', text); }
  report(text = '', {bruteForce = false} = {}) { return this.answer('wl_report', text, bruteForce ? 'brute-force' : ''); }
  // The whole screen, or no more of it; only a moment after a person did something.
  fillScreen() {
    if (!document.fullscreenEnabled) return this.tell('noFullScreen');
    const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    done.catch(() => this.tell('noFullScreen'));
  }
  tell(key, detail = '') {
    const notice = document.getElementById('notice');
    notice.textContent = words[key] + detail;
    notice.hidden = false;
    clearTimeout(this.told);
    this.told = setTimeout(() => { notice.hidden = true; }, 8000);
  }
}

// Programs and data that may come once the first picture is there.
async function fetchLater(app, name) {
  const paths = await unpack(app.fs, await fetchBytes(name));
  for (const path of paths) app.module.ccall('wl_arrived', null, ['string'], [path]);
}

async function load() {
  const sizes = await (await fetch('site.json')).json();
  const came = {};
  const show = (name, size) => {
    came[name] = size;
    const all = Object.values(came).reduce((a, b) => a + b, 0);
    document.getElementById('progress').value = Math.min(1, all / (sizes.wasm + sizes.data));
  };
  const program = fetchBytes('warplens.wasm', size => show('wasm', size))
    .then(blob => WebAssembly.compileStreaming(new Response(blob, {headers: {'Content-Type': 'application/wasm'}})));
  const data = fetchBytes('data/first.pack', size => show('data', size));
  const script = new Promise((done, failed) => {
    const element = document.createElement('script');
    element.src = 'warplens.js';
    element.onload = done;
    element.onerror = () => failed(new Error('warplens.js'));
    document.head.append(element);
  });
  await script;
  return {program, data, sizes};
}

// What this browser lacks, in words that need none around them.
class Trouble extends Error {}

async function begin() {
  const wrong = trouble();
  if (wrong !== '') throw new Trouble(both(wrong));
  const {program, data, sizes} = await load();
  const storage = new Storage();
  let app = null, loop = null, address = null;
  const page = {
    copy: text => copy(text),
    wake: () => loop?.wake(),
    fetchAsset: name => fetchLater(app, `data/${name}`).catch(error => console.warn(error)),
    reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
  const fitted = fit();
  const link = Address.link();
  const theme = matchMedia('(prefers-color-scheme: light)').matches ? ['--theme', 'light'] : [];
  let complaint = '';
  const start = first => createWarplens({
    page,
    arguments: [...(first ? [first] : theme), ...(embedded ? ['--alone'] : []), ...(controls === null ? [] : [`--controls=${controls},`])],  // a comma alone: none
    print: text => console.log(text),
    printErr: text => { complaint = text; console.warn(text); },
    onAbort: error => { if (loop) loop.sleep(true); end(both('crashed') + error); },
    instantiateWasm(imports, done) {
      program.then(async compiled => done(await WebAssembly.instantiate(compiled, imports), compiled))
        .catch(error => end(both('failed') + error.message));
      return {};
    },
    preRun: [m => {
      m.ENV.WARPLENS_DATA = '/';
      m.ENV.WARPLENS_SITE = location.origin + location.pathname;
      m.ENV.LANG = `${language.replace('-', '_')}.UTF-8`;
      m.addRunDependency('files');
      storage.restore(m.FS, !embedded).then(async () => unpack(m.FS, await data)).then(() => m.removeRunDependency('files'))
        .catch(error => end(both('failed') + error.message));
    }],
  });
  let module = await start(link);
  // The program ends over a link that is none, as on a command line: a page opens all the same, and says so.
  const refused = link !== '' && new App(module).state() === null ? complaint : '';
  if (refused !== '') module = await start('');
  app = new App(module);
  loop = new Loop(() => module._wl_frame());
  address = new Address(app);
  const input = new Input(app, loop, canvas, embedded);
  new Chooser(app, loop, files => input.open(files));
  const spoken = document.getElementById('spoken');
  let calls = 0;
  loop.after.push(rest => {
    input.follow();
    if (calls++ % 8 !== 0 && rest === 0) return;
    if (!embedded) address.follow();
    const said = app.text('wl_spoken');
    if (spoken.textContent !== said) spoken.textContent = said;
    storage.keep(app.fs);
    storage.offerDownloads(app.fs);
  });
  new Embedded(app, loop, canvas, embedded);
  canvas.addEventListener('webglcontextlost', () => {
    loop.sleep(true);
    storage.keep(app.fs);
    end(both('lostPicture'));
  });
  addEventListener('pagehide', () => storage.keep(app.fs));
  document.addEventListener('visibilitychange', () => { if (document.hidden) storage.keep(app.fs); else loop.wake(); });
  addEventListener('beforeunload', event => {
    storage.keep(app.fs);
    if (!embedded && module._wl_unsaved() && storage.store === null) event.preventDefault();
  });
  module._wl_resize(fitted.width, fitted.height, devicePixelRatio);
  watchSize(module, loop);
  loop.now();
  cover.hidden = true;
  if (refused !== '') app.tell('bad', refused);
  for (const name of sizes.later) fetchLater(app, `data/${name}`).catch(error => console.warn(error));
  return app;
}

function copy(text) {
  const byHand = () => {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    document.getElementById('typing').focus();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).catch(byHand);
  else byHand();
}

// The canvas has as many pixels as the screen shows of it.
function fit() {
  const size = {width: Math.round(canvas.clientWidth * devicePixelRatio), height: Math.round(canvas.clientHeight * devicePixelRatio)};
  canvas.width = size.width;
  canvas.height = size.height;
  return size;
}

function watchSize(module, loop) {
  const observer = new ResizeObserver(entries => {
    // Where the browser knows, to the very pixel; a simulated screen tells of the real one's there.
    const box = entries.at(-1).devicePixelContentBoxSize?.[0];
    const size = (css, exact) => {
      const pixels = Math.round(css * devicePixelRatio);
      return exact !== undefined && Math.abs(exact - pixels) <= 1 ? exact : pixels;
    };
    const width = size(canvas.clientWidth, box?.inlineSize), height = size(canvas.clientHeight, box?.blockSize);
    if (width < 1 || height < 1) return;
    module._wl_resize(width, height, devicePixelRatio);
    loop.now();  // a canvas of a new size is empty until it is drawn
  });
  try { observer.observe(canvas, {box: 'device-pixel-content-box'}); } catch { observer.observe(canvas); }
  // Another screen, or the browser's zoom.
  const zoomed = () => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', zoomed, {once: true});
    module._wl_resize(Math.round(canvas.clientWidth * devicePixelRatio), Math.round(canvas.clientHeight * devicePixelRatio), devicePixelRatio);
    loop.now();
  };
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', zoomed, {once: true});
}

const ready = begin().catch(error => {
  end(error instanceof Trouble ? error.message : both('failed') + error.message);
  throw error;
});
ready.catch(() => {});  // it has been said
window.warplens = {
  ready: ready.then(() => undefined),
  state: () => ready.then(app => app.state()),
  act: text => ready.then(app => app.act(text)),
  report: (text, how) => ready.then(app => app.report(text, how)),
  snippet: () => ready.then(app => app.text('wl_figure')),  // HTML: what is on screen as a figure of another page
  memory: () => ready.then(({module}) => ({reserved: module.HEAP8.length, used: module._wl_used()})),  // bytes
};
if ('serviceWorker' in navigator && !embedded) navigator.serviceWorker.register('worker.js').catch(error => console.warn(error));
