// Users who look at one view after another, and a CDN that has some of what they request.
import { drawExponential, drawView } from '../mixes.mjs';

/** The kinds of responses that a CDN may keep: blocks of public objects, and bases, which never change. */
export const CACHEABLE = new Set(['block', 'conversion', 'part', 'slice']);

export class Users {
  /** The seconds of responses of the servers by kind, and of whole views. */
  secondsByKind = {};
  /** The views that ended with a request that was refused. */
  failures = 0;
  #simulation;
  #options;
  #isMeasuring = false;

  /** `processOf` returns the process that gets a user's next request. `cdn` is the share of blocks that come from the CDN. */
  constructor(simulation, { mix, count, thinkSeconds = mix.thinkSeconds, cdn = 0, processOf, nextShare }) {
    this.#simulation = simulation;
    this.#options = { mix, thinkSeconds, cdn, processOf, nextShare };
    for (let user = 0; user < count; user += 1) this.#think(user);
  }

  /** Nothing before is counted. */
  startMeasuring() {
    this.#isMeasuring = true;
  }

  #think(user) {
    const { mix, thinkSeconds, nextShare } = this.#options;
    this.#simulation.schedule(drawExponential(thinkSeconds, nextShare), () => {
      this.#request({ user, kinds: drawView(mix, nextShare), seconds: 0 }, 0);
    });
  }

  #request(view, step) {
    const { user, kinds } = view;
    if (step === kinds.length) {
      this.#record('view', view.seconds);
      return this.#think(user);
    }
    const { cdn, nextShare, processOf } = this.#options;
    const kind = kinds[step];
    // A hit takes the time of the CDN's network only, which is not modelled.
    if (cdn > 0 && CACHEABLE.has(kind) && nextShare() < cdn) return this.#request(view, step + 1);
    const { now } = this.#simulation;
    processOf(user).answer(kind, (isAnswered) => {
      if (!isAnswered) {
        if (this.#isMeasuring) this.failures += 1;
        return this.#think(user);
      }
      const seconds = this.#simulation.now - now;
      view.seconds += seconds;
      this.#record(kind, seconds);
      this.#request(view, step + 1);
    });
  }

  #record(kind, seconds) {
    if (!this.#isMeasuring) return;
    this.secondsByKind[kind] ??= [];
    this.secondsByKind[kind].push(seconds);
  }
}
