// What a person does to the canvas: pointer, wheel, touch, keys, text through a field that input methods know,
// clipboard, dropped files. Positions are in pixels of the canvas.
import {write} from './storage.js';

// The character on the key, as desktops name keys: Shift and the layout's upper row do not change it.
const onKey = {Minus: '-', Equal: '=', BracketLeft: '[', BracketRight: ']', Slash: '/', Comma: ',', Period: '.', Semicolon: ';'};
// Left to the browser: reload, the tools, full screen, tabs, zoom.
const browsers = event => ['F5', 'F11', 'F12'].includes(event.key) ||
  ((event.ctrlKey || event.metaKey) && ['l', 'n', 'r', 't', 'w', '+', '-', '=', '0'].includes(event.key.toLowerCase())) ||
  (event.ctrlKey && event.shiftKey && ['i', 'j', 'c'].includes(event.key.toLowerCase()));

function nameOf(event) {
  if (event.shiftKey && /^Digit\d$/.test(event.code)) return event.code.slice(5);
  if (event.key.length === 1 && event.code in onKey && !/\p{L}/u.test(event.key)) return onKey[event.code];
  return event.key;
}

const kMostFile = 64 << 20;
const kTap = 12, kLong = 500, kSwipe = 48;  // pixels of the screen, milliseconds, pixels

export class Input {
  constructor(app, loop, canvas, embedded) {
    this.app = app;
    this.module = app.module;
    this.loop = loop;
    this.canvas = canvas;
    this.field = document.getElementById('typing');
    this.touches = new Map();
    this.gesture = {fingers: 0, still: true, began: 0};
    this.listenToPointer();
    this.listenToKeys();
    this.listenToFiles();
    this.embedded = embedded;
    if (!embedded) this.field.focus({preventScroll: true});  // the page around keeps its keyboard until the figure is touched
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * this.canvas.width / box.width, (event.clientY - box.top) * this.canvas.height / box.height];
  }

  listenToPointer() {
    const canvas = this.canvas;
    for (const name of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'pointerleave']) {
      canvas.addEventListener(name, event => {
        if (event.pointerType === 'touch') return this.touch(name, event);
        if (name === 'pointerdown') {
          canvas.setPointerCapture(event.pointerId);
          setTimeout(() => this.field.focus({preventScroll: true}), 0);
        }
        const [x, y] = this.place(event);
        this.module._wl_modifiers(event.shiftKey, event.ctrlKey || event.metaKey);
        this.module._wl_pointer(x, y, event.buttons, name !== 'pointerleave');
      });
    }
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('wheel', event => {
      if (this.embedded && !document.hasFocus()) return;  // it scrolls the page around
      event.preventDefault();
      const notch = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
      this.module._wl_modifiers(event.shiftKey, event.ctrlKey || event.metaKey);
      this.module._wl_wheel(-event.deltaX / notch, -event.deltaY / notch);
    }, {passive: false});
  }

  // A tap is a click; a swipe over the picture steps; elsewhere a finger drags sideways and scrolls up and down;
  // a finger that rests points; two zoom; a tap by three fills the screen. What counts is when it was done, not
  // when a busy page comes to hear of it.
  touch(name, event) {
    const [x, y] = this.place(event), module = this.module;
    if (name === 'pointerdown') {
      this.canvas.setPointerCapture(event.pointerId);
      if (this.touches.size === 0) this.gesture = {fingers: 0, still: true, began: event.timeStamp};
      this.touches.set(event.pointerId, {x, y, fromX: x, fromY: y, began: event.timeStamp, does: ''});
      this.gesture.fingers = Math.max(this.gesture.fingers, this.touches.size);
      module._wl_pointer(x, y, 0, 1);
      return;
    }
    const finger = this.touches.get(event.pointerId);
    if (finger === undefined) return;
    if (name === 'pointermove') {
      if (this.isFar(finger, x, y)) this.gesture.still = false;
      if (this.touches.size === 2) this.pinch(event.pointerId, x, y);
      else if (this.gesture.fingers === 1) this.drag(finger, x, y, event.timeStamp);
      [finger.x, finger.y] = [x, y];
      return;
    }
    this.touches.delete(event.pointerId);
    if (name === 'pointerup' && this.gesture.fingers === 1) this.lift(finger, x, y, event.timeStamp);
    if (name === 'pointerup' && this.touches.size === 0) this.endGesture(event.timeStamp);
    if (finger.does === 'drags') module._wl_pointer(x, y, 0, 1);
    module._wl_pointer(x, y, 0, finger.does === 'points' ? 1 : 0);
  }

  isFar(finger, x, y) { return Math.hypot(x - finger.fromX, y - finger.fromY) / devicePixelRatio > kTap; }

  endGesture(now) {
    const {fingers, still, began} = this.gesture;
    if (fingers === 3 && still && now - began < kLong) this.app.fillScreen();
  }

  drag(finger, x, y, now) {
    if (finger.does === '' && this.isFar(finger, x, y)) {
      const sideways = Math.abs(x - finger.fromX) > Math.abs(y - finger.fromY);
      const picture = this.module._wl_is_picture(finger.fromX, finger.fromY) !== 0;
      finger.does = now - finger.began > kLong ? 'points' : !sideways ? 'scrolls' : picture ? 'swipes' : 'drags';
      if (finger.does === 'drags') this.module._wl_pointer(finger.fromX, finger.fromY, 1, 1);
    }
    if (finger.does === 'drags') this.module._wl_pointer(x, y, 1, 1);
    if (finger.does === 'points') this.module._wl_pointer(x, y, 0, 1);
    if (finger.does === 'scrolls') this.module._wl_wheel(0, (y - finger.y) / (40 * devicePixelRatio));
  }

  lift(finger, x, y, now) {
    const across = (x - finger.fromX) / devicePixelRatio;
    if (finger.does === 'swipes' && Math.abs(across) > kSwipe) {
      this.module.ccall('wl_key', 'number', ['string', 'number', 'number', 'number'], [across < 0 ? 'ArrowRight' : 'ArrowLeft', 0, 0, 0]);
    } else if (finger.does === '' && now - finger.began < kLong) {
      this.module._wl_pointer(x, y, 1, 1);
      this.loop.now();
      this.module._wl_pointer(x, y, 0, 1);
      this.loop.now();
      if (this.typing().on) this.field.focus({preventScroll: true});  // and the keyboard of the screen comes
      else this.field.blur();
    }
  }

  pinch(moved, x, y) {
    const [a, b] = [...this.touches.values()];
    const one = this.touches.get(moved), other = one === a ? b : a;
    const before = Math.hypot(one.x - other.x, one.y - other.y), now = Math.hypot(x - other.x, y - other.y);
    one.does = other.does = 'pinches';
    if (before < 1 || now < 1) return;
    this.module._wl_pointer((x + other.x) / 2, (y + other.y) / 2, 0, 1);
    this.module._wl_wheel(0, Math.log(now / before) / Math.log(1.2));
  }

  key(event) {
    return this.module.ccall('wl_key', 'number', ['string', 'number', 'number', 'number'],
      [nameOf(event), event.shiftKey, event.ctrlKey || event.metaKey, event.repeat]) !== 0;
  }

  listenToKeys() {
    const field = this.field;
    addEventListener('keydown', event => {
      if (event.isComposing || event.key === 'Process' || event.key === 'Dead' || event.altKey || browsers(event)) return;
      if (document.activeElement !== field) field.focus({preventScroll: true});
      const control = event.ctrlKey || event.metaKey, name = event.key.toLowerCase();
      this.module._wl_modifiers(event.shiftKey, control);
      if (control && name === 'v') return;  // the paste that follows brings the text along
      const used = this.key(event);
      if (control && (name === 'c' || name === 'x')) this.loop.now();  // while the browser still lets it be copied
      if (used && (control || event.key.length > 1)) event.preventDefault();
    });
    addEventListener('keyup', event => this.module._wl_modifiers(event.shiftKey, event.ctrlKey || event.metaKey));
    field.addEventListener('compositionstart', () => field.classList.add('composing'));
    field.addEventListener('compositionend', () => { field.classList.remove('composing'); this.take(); });
    field.addEventListener('input', event => { if (!event.isComposing) this.take(); });
    addEventListener('paste', event => {
      event.preventDefault();
      this.module.ccall('wl_clipboard', null, ['string'], [event.clipboardData.getData('text/plain')]);
      this.module.ccall('wl_key', 'number', ['string', 'number', 'number', 'number'], ['v', 0, 1, 0]);
    });
  }

  take() {
    const text = this.field.value;
    this.field.value = '';
    if (text !== '') this.module.ccall('wl_text', null, ['string'], [text]);
  }

  listenToFiles() {
    const over = event => event.preventDefault();
    addEventListener('dragover', over);
    addEventListener('drop', event => {
      over(event);
      this.open([...event.dataTransfer.files]);
    });
  }

  async open(files) {
    for (const file of files) {
      if (file.size > kMostFile) {
        this.app.tell('tooLarge', file.name);
        continue;
      }
      const path = `/drop/${file.name.replace(/[/\\\0]/g, '_')}`;
      write(this.app.fs, path, new Uint8Array(await file.arrayBuffer()));
      this.module.ccall('wl_drop', null, ['string'], [path]);
    }
  }

  typing() { return this.app.answer('wl_typing'); }

  // The field stands where the caret is.
  follow() {
    const {on, x, y, height} = this.typing();
    if (!on) return;
    this.field.style.left = `${x / devicePixelRatio}px`;
    this.field.style.top = `${y / devicePixelRatio}px`;
    this.field.style.height = `${Math.max(16, height / devicePixelRatio)}px`;
  }
}
