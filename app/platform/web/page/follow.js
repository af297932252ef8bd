// In a hall: the site of a class (app/vote) tells where the lecturer is. A laptop follows, or leaves to try something
// and comes back.
import {words} from './words.js';

const kEvery = 1000;  // milliseconds

export class Follow {
  // Only below /app/ of such a server: elsewhere nobody is asked.
  static here() { return location.pathname.endsWith('/app/') || location.pathname.endsWith('/app/index.html'); }

  constructor(app, loop) {
    this.app = app;
    this.loop = loop;
    this.follows = true;
    this.at = '';  // where the lecturer was last
    this.button = document.getElementById('follow');
    this.button.addEventListener('click', () => this.turn(!this.follows));
    addEventListener('keydown', () => this.turn(false), {capture: true});
    document.getElementById('canvas').addEventListener('pointerdown', () => this.turn(false), {capture: true});
    this.show();
    this.ask();
  }

  turn(follows) {
    if (this.follows === follows) return;
    this.follows = follows;
    this.at = '';
    this.show();
    if (follows) this.ask();
  }

  show() {
    this.button.hidden = false;
    this.button.textContent = this.follows ? words.following : words.follow;
    this.button.setAttribute('aria-pressed', this.follows);
  }

  async ask() {
    clearTimeout(this.timer);
    if (!this.follows) return;
    try {
      const {place} = await (await fetch('../place', {cache: 'no-store'})).json();
      // Nothing is told while a question is open.
      if (this.follows && place !== '' && place !== this.at) {
        this.at = place;
        this.app.act(place);
        this.loop.wake();
      }
    } catch (error) {
      console.warn('the lecture is not heard:', error);
    }
    this.timer = setTimeout(() => this.ask(), kEvery);
  }
}
