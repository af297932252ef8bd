// The page inside another: asleep until it is seen or touched, and spoken with by messages (docs/browser.md).
const kMostText = 1 << 20, kMostASecond = 60;

export class Embedded {
  constructor(app, loop, canvas, embedded) {
    this.app = app;
    this.loop = loop;
    this.heard = [];
    addEventListener('message', event => this.hear(event));
    if (!embedded) return;
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

  carryOut({type, text = ''}) {
    if (typeof type !== 'string') type = typeof type;
    switch (type) {
      case 'act': { const done = this.app.act(text); this.loop.wake(); return done; }
      case 'state': return {ok: true, state: this.app.state()};
      case 'link': return {ok: true, link: this.app.link()};
      case 'report': return {ok: true, report: this.app.report(text)};
      default: return {error: `type: "act", "state", "link" or "report" is needed, not ${JSON.stringify(type.slice(0, 40))}`};
    }
  }

  answer(event, what) {
    event.source.postMessage({warplens: 1, type: 'answer', id: event.data.id, ...what}, event.origin === 'null' ? '*' : event.origin);
  }
}
