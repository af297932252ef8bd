// Opening a file: the program's own list has the files of its memory, which are none of the person's, so the browser's
// chooser stands in for it. A browser opens that only shortly after a person did something.
const kFrames = 6;  // within which the program opens its list

export class Chooser {
  constructor(app, loop, open) {
    this.app = app;
    this.left = 0;
    this.field = document.createElement('input');
    this.field.type = 'file';
    this.field.multiple = true;
    this.field.hidden = true;
    document.body.append(this.field);
    this.field.addEventListener('change', () => {
      open([...this.field.files]);
      this.field.value = '';
    });
    const expect = () => { this.left = kFrames; };
    for (const name of ['pointerup', 'keydown']) addEventListener(name, expect, {capture: true});
    loop.after.push(() => this.look());
  }

  look() {
    if (this.left === 0) return;
    --this.left;
    const dialog = this.app.state()?.seen?.dialog;
    if (!dialog || dialog.saving) return;
    this.left = 0;
    this.app.module.ccall('wl_key', 'number', ['string', 'number', 'number', 'number'], ['Escape', 0, 0, 0]);
    this.field.click();
  }
}
