// The address bar says what is on screen, and what it says is opened.
export class Address {
  constructor(app) {
    this.app = app;
    this.shown = '';
    this.due = 0;
    addEventListener('hashchange', () => this.open());
  }

  static link() {
    const text = location.hash.slice(1);
    try { return text === '' ? '' : `warplens:${decodeURIComponent(text)}`; } catch { return `warplens:${text}`; }
  }

  open() {
    if (location.hash.slice(1) === this.shown) return;
    const answer = this.app.act(Address.link());
    if (answer.error) this.app.tell('bad', answer.error);
  }

  // At most four times a second: browsers refuse more.
  follow() {
    if (this.due !== 0) return;
    this.due = setTimeout(() => {
      this.due = 0;
      const link = this.app.link();
      if (link === '' || link === this.shown) return;
      this.shown = link;
      history.replaceState(null, '', `#${link}`);
      this.shown = location.hash.slice(1);
    }, 250);
  }
}
