import { inspect } from 'node:util';

const mask = '***';

/**
 * A text that must not reach a log, an error or a response by accident. Every implicit conversion (template
 * strings, JSON, `console`, pino, `util.inspect`) prints `***`. Only `reveal()` returns the text, so that every use
 * is searchable.
 *
 * Not guaranteed: the text remains in the process's memory until garbage collection (JavaScript cannot erase
 * strings).
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text. Call it where the text is used, as late as possible. */
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
