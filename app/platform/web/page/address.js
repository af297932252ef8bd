// The address bar says what is on screen, and what it says is opened.
export class Address {
  constructor(app) {
    this.app = app;
    this.shown = location.hash.slice(1);
    this.due = 0;
    addEventListener('hashchange', () => this.open());
  }

  static link() {
    const text = location.hash.slice(1);
    try { return text === '' ? '' : `warplens:${decodeURIComponent(text)}`; } catch { return `warplens:${text}`; }
  }

  open() {
    if (location.hash.slice(1) === this.shown) return;
    this.shown = location.hash.slice(1);
    if (this.shown === '') return;  // emptied by hand: it is written again
    const answer = this.app.act(Address.link());
    if (answer.error) this.app.tell('bad', answer.error);
  }

  // At most four times a second: browsers refuse more.
  follow() {
    if (this.due !== 0) return;
    this.due = setTimeout(() => {
      this.due = 0;
      this.open();  // a person was faster
      const link = this.app.link();
      if (link === '') return;
      history.replaceState(null, '', `#${link}`);
      this.shown = location.hash.slice(1);
    }, 250);
  }
}
