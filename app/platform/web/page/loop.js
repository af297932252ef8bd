// Frames: one after another while the app asks for them, else when something happens. Nothing runs while the page
// is hidden or, embedded, until it has been seen.
export class Loop {
  constructor(frame) {
    this.frame = frame;  // gives seconds of rest, 0: none, below 0: until something happens
    this.after = [];     // called after each frame
    this.asleep = false;
    this.asked = false;
    this.timer = 0;
  }

  wake() {
    if (this.asked || this.asleep) return;
    this.asked = true;
    clearTimeout(this.timer);
    requestAnimationFrame(() => {
      this.asked = false;
      this.now();
    });
  }

  // At once: while the browser knows that a person has just done something.
  now() {
    if (this.asleep) return;
    const rest = this.frame();
    for (const call of this.after) call(rest);
    if (rest === 0) this.wake();
    else if (rest > 0) this.timer = setTimeout(() => this.wake(), 1000 * rest);
  }

  sleep(asleep) {
    this.asleep = asleep;
    if (!asleep) this.wake();
  }
}
