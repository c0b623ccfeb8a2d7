import { inspect } from 'node:util';

const mask = '***';

/**
 * A text that must not reach a log, an error or an answer by accident. Every implicit way out (template strings,
 * JSON, `console`, pino, `util.inspect`) prints `***`; the text itself comes out of `reveal()` alone, so a reader
 * can search for every place that does so.
 *
 * Not guaranteed: the text stays in the process's memory until it is collected (JavaScript cannot erase strings).
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it where the text is used, as late as possible. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [Symbol.toPrimitive](): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
