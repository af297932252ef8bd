// The page inside another: asleep until it is seen or touched, and spoken with by messages (docs/browser.md).
const kMostText = 1 << 20, kMostASecond = 60, kMostValues = 32, kMostSteps = 1000;
const kStepped = ['access', 'wavefront', 'line', 'warp', 'block'];

export class Embedded {
  constructor(app, loop, canvas, embedded) {
    this.app = app;
    this.loop = loop;
    this.heard = [];
    addEventListener('message', event => this.hear(event));
    if (!embedded) return;
    this.answered = app.text('wl_answered');
    loop.after.push(() => this.tellAnswer());
    loop.sleep(true);
    const seen = new IntersectionObserver(entries => loop.sleep(!entries.at(-1).isIntersecting), {threshold: 0.05});
    seen.observe(canvas);
    canvas.addEventListener('pointerdown', () => loop.sleep(false), {capture: true});
    canvas.classList.add('embedded');
    if (parent !== window) parent.postMessage({warplens: 1, type: 'ready'}, '*');
  }

  // Only from the page around, and no more than it can mean.
  hear(event) {
    const message = event.data;
    if (event.source !== parent || typeof message !== 'object' || message === null || message.warplens !== 1) return;
    const now = performance.now();
    this.heard = this.heard.filter(time => now - time < 1000);
    if (this.heard.push(now) > kMostASecond) return this.answer(event, {error: 'more than 60 messages a second'});
    if (message.text !== undefined && (typeof message.text !== 'string' || message.text.length > kMostText))
      return this.answer(event, {error: 'text: a text of up to 1 MiB is needed'});
    this.answer(event, this.carryOut(message));
  }

  carryOut({type, text = '', values, of = 'access', by = 1}) {
    if (typeof type !== 'string') type = typeof type;
    switch (type) {
      case 'act': { const done = this.app.act(text); this.loop.wake(); return done; }
      case 'set': { const done = this.set(values); this.loop.wake(); return done; }
      case 'step': { const done = this.step(of, by); this.loop.wake(); return done; }
      case 'state': return {ok: true, state: this.app.state()};
      case 'link': return {ok: true, link: this.app.link()};
      case 'report': return {ok: true, report: this.app.report(text)};
      default: return {error: `type: "act", "set", "step", "state", "link" or "report" is needed, not ${JSON.stringify(type.slice(0, 40))}`};
    }
  }

  // Parameters by name, all of them or none: where one is refused, those before it go back.
  set(values) {
    const entries = typeof values === 'object' && values !== null && !Array.isArray(values) ? Object.entries(values) : [];
    const sound = entries.length > 0 && entries.length <= kMostValues &&
      entries.every(([name, value]) => /^\w{1,100}$/.test(name) && (Number.isSafeInteger(value) || (typeof value === 'string' && value.length <= 100)));
    if (!sound) return {error: `values: an object is needed, of up to ${kMostValues} names, each with a whole number or a text`};
    const before = this.app.state().values, done = [];
    for (const [name, value] of entries) {
      const {error} = this.app.act(`${name}=${value}`);
      if (error === undefined) {
        done.unshift(name);
        continue;
      }
      for (const other of done) this.app.act(`${other}=${before[other]}`);
      return {error};
    }
    return {ok: true};
  }

  // As many steps, backwards below 0.
  step(of, by) {
    if (!kStepped.includes(of)) return {error: `of: ${kStepped.map(name => `"${name}"`).join(', ')} can be stepped, not ${JSON.stringify(String(of).slice(0, 40))}`};
    if (!Number.isSafeInteger(by) || Math.abs(by) > kMostSteps) return {error: `by: a whole number is needed, of up to ${kMostSteps} steps`};
    for (let i = 0; i < Math.abs(by); ++i) {
      const done = this.app.act(`${of}_${by < 0 ? 'previous' : 'next'}`);
      if (done.error !== undefined) return done;
    }
    return {ok: true};
  }

  // To the page around: a question was answered.
  tellAnswer() {
    const answered = this.app.text('wl_answered');
    if (answered === this.answered) return;
    this.answered = answered;
    if (answered !== '' && parent !== window) parent.postMessage({warplens: 1, type: 'answered', ...JSON.parse(answered)}, '*');
  }

  answer(event, what) {
    event.source.postMessage({warplens: 1, type: 'answer', id: event.data.id, ...what}, event.origin === 'null' ? '*' : event.origin);
  }
}
