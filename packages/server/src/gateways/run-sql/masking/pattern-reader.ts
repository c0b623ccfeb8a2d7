import { RunSqlRefusal } from '../refusal.ts';

export type CharTest = (code: number) => boolean;
export type Anchor = 'start' | 'end';
/** Syntax tree of a pattern. */
export type Node =
  | { type: 'char'; test: CharTest }
  | { type: 'anchor'; anchor: Anchor }
  | { type: 'sequence'; items: Node[] }
  | { type: 'choice'; options: Node[] }
  | { type: 'repeat'; item: Node; min: number; max: number };

export const patternLengthMax = 500;
const repeatMax = 100;

/** Creates the refusal of a pattern. */
export function refusePattern(source: string, why: string): RunSqlRefusal {
  return new RunSqlRefusal('invalid-pattern', `The pattern ${source.slice(0, 80)} is not accepted: ${why}.`);
}

const isDigit: CharTest = (code) => code >= 48 && code <= 57;
const isWord: CharTest = (code) => isDigit(code) || (code >= 97 && code <= 122) || code === 95;
const isSpace: CharTest = (code) => code === 32 || (code >= 9 && code <= 13) || code === 160;
const not =
  (test: CharTest): CharTest =>
  (code) =>
    !test(code);
const escapes = new Map<string, CharTest>([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);
const controls = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** Recursive-descent parser of patterns. Pattern and text are compared in lower case. */
export class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Node {
    const node = this.#choice();
    if (this.#at < this.#source.length)
      throw refusePattern(this.#source, 'a closing bracket has no opening one');
    return node;
  }

  #peek(): string {
    return this.#source[this.#at] ?? '';
  }

  #take(): string {
    return this.#source[this.#at++] ?? '';
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#peek() === '|') {
      this.#take();
      options.push(this.#sequence());
    }
    return options.length === 1 && options[0] ? options[0] : { type: 'choice', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') {
      items.push(this.#repeated(this.#item()));
    }
    return { type: 'sequence', items };
  }

  #repeated(item: Node): Node {
    const bounds = this.#bounds();
    if (!bounds) return item;
    if (item.type === 'anchor') throw refusePattern(this.#source, 'an anchor cannot be repeated');
    if (this.#peek() === '?') this.#take();
    if (this.#bounds()) throw refusePattern(this.#source, 'a repetition cannot be repeated without brackets');
    return { type: 'repeat', item, ...bounds };
  }

  #bounds(): { min: number; max: number } | undefined {
    const quantifier = /^(?:[*+?]|\{(\d{1,3})(,?)(\d{0,3})\})/.exec(this.#source.slice(this.#at));
    if (!quantifier) return undefined;
    this.#at += quantifier[0].length;
    if (quantifier[0] === '*') return { min: 0, max: Number.POSITIVE_INFINITY };
    if (quantifier[0] === '+') return { min: 1, max: Number.POSITIVE_INFINITY };
    if (quantifier[0] === '?') return { min: 0, max: 1 };
    const min = Number(quantifier[1]);
    const max =
      quantifier[2] === '' ? min : quantifier[3] === '' ? Number.POSITIVE_INFINITY : Number(quantifier[3]);
    if (min > repeatMax || (max > repeatMax && max !== Number.POSITIVE_INFINITY) || max < min) {
      throw refusePattern(this.#source, `a repetition has at most ${repeatMax} turns`);
    }
    return { min, max };
  }

  #item(): Node {
    const character = this.#take();
    if (character === '(') return this.#group();
    if (character === '[') return { type: 'char', test: this.#class() };
    if (character === '^') return { type: 'anchor', anchor: 'start' };
    if (character === '$') return { type: 'anchor', anchor: 'end' };
    if (character === '.') return { type: 'char', test: (code) => code !== 10 };
    if (character === '\\') return { type: 'char', test: this.#escape() };
    if ('*+?{'.includes(character)) throw refusePattern(this.#source, `${character} has nothing to repeat`);
    return literal(character);
  }

  #group(): Node {
    if (this.#peek() === '?') {
      if (!this.#source.startsWith('?:', this.#at))
        throw refusePattern(this.#source, 'look-around and named groups are not available');
      this.#at += 2;
    }
    const node = this.#choice();
    if (this.#take() !== ')') throw refusePattern(this.#source, 'a bracket is not closed');
    return node;
  }

  #escape(): CharTest {
    const character = this.#take();
    const escaped = escapes.get(character);
    if (escaped) return escaped;
    if (character === '' || /[A-Za-z0-9]/.test(character)) {
      const control = controls.get(character);
      if (control === undefined) throw refusePattern(this.#source, `\\${character} is not available`);
      return equals(control);
    }
    return equals(character);
  }

  #class(): CharTest {
    const isNegated = this.#peek() === '^';
    if (isNegated) this.#take();
    const tests: CharTest[] = [];
    while (this.#peek() !== ']' || tests.length === 0) {
      if (this.#at >= this.#source.length) throw refusePattern(this.#source, 'a class is not closed');
      tests.push(this.#classItem());
    }
    this.#take();
    const any: CharTest = (code) => tests.some((test) => test(code));
    return isNegated ? not(any) : any;
  }

  #classItem(): CharTest {
    const first = this.#take();
    if (first === '\\') return this.#escape();
    if (this.#peek() !== '-' || this.#source[this.#at + 1] === ']') return equals(first);
    this.#take();
    const last = this.#take();
    const [from, to] = [first.toLowerCase().charCodeAt(0), last.toLowerCase().charCodeAt(0)];
    if (last === '\\' || last === '' || to < from)
      throw refusePattern(this.#source, 'a class has a range that is none');
    return (code) => code >= from && code <= to;
  }
}

function equals(character: string): CharTest {
  const expectedCode = character.toLowerCase().charCodeAt(0);
  return (code) => code === expectedCode;
}

const literal = (character: string): Node => ({ type: 'char', test: equals(character) });
