import { plural } from '@svc/contract';
/** Definition of a setting: default value and parser. */
export type Setting<T = unknown> = {
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'map' | 'secret';
  readonly description: string;
  /** Value of an unconfigured setting. */
  readonly default: T;
  /** Shown in the settings table instead of the value, for example for secrets. */
  readonly defaultText: string;
  /** Converts the configured value. Throws an Error whose message completes "… must be". */
  readonly parse: (raw: unknown) => T;
};

class BadSetting extends Error {}
const refuse = (expectation: string): never => {
  throw new BadSetting(expectation);
};

const asText = (raw: unknown): string =>
  typeof raw === 'string'
    ? raw
    : typeof raw === 'number' || typeof raw === 'boolean'
      ? String(raw)
      : refuse('text');

type TextOptions = { lengthMin?: number; oneOf?: readonly string[]; pattern?: RegExp; expectation?: string };

function checkText(text: string, options: TextOptions): string {
  if (options.lengthMin !== undefined && Buffer.byteLength(text) < options.lengthMin)
    refuse(`at least ${plural(options.lengthMin, 'character')} long`);
  if (options.oneOf && !options.oneOf.includes(text)) refuse(`one of ${options.oneOf.join(', ')}`);
  if (options.pattern && !options.pattern.test(text))
    refuse(options.expectation ?? `of the form ${options.pattern.source}`);
  return text;
}

/** Defines a text setting. It is absent unless `default` is set. */
export function text(description: string, options: TextOptions & { default: string }): Setting<string>;
export function text(description: string, options?: TextOptions): Setting<string | undefined>;
export function text(
  description: string,
  options: TextOptions & { default?: string } = {},
): Setting<string | undefined> {
  return {
    kind: 'text',
    description,
    default: options.default,
    defaultText: options.default ?? 'none',
    parse: (raw) => checkText(asText(raw), options),
  };
}

/** Defines a secret. It is never printed, and can come from a file that the variable with `_FILE` names. */
export function secret(description: string, options: TextOptions = {}): Setting<string | undefined> {
  return {
    kind: 'secret',
    description,
    default: undefined,
    defaultText: 'none',
    parse: (raw) => checkText(asText(raw).trim(), options),
  };
}

/** Defines a whole number between two bounds. */
export function integer(
  description: string,
  options: { default: number; min: number; max: number },
): Setting<number>;
export function integer(
  description: string,
  options: { min: number; max: number },
): Setting<number | undefined>;
export function integer(
  description: string,
  options: { default?: number; min: number; max: number },
): Setting<number | undefined> {
  return {
    kind: 'integer',
    description,
    default: options.default,
    defaultText: options.default === undefined ? 'none' : String(options.default),
    parse: (raw) => {
      const written = typeof raw === 'number' ? String(raw) : asText(raw).trim();
      const value = /^-?\d{1,15}$/.test(written) ? Number(written) : Number.NaN;
      if (!(value >= options.min && value <= options.max))
        refuse(`a whole number from ${options.min} to ${options.max}`);
      return value;
    },
  };
}

const moneyMax = 1_000_000_000;

/** Defines an amount of money with at most six decimals, in any currency. Absent by default. */
export function money(description: string): Setting<number | undefined> {
  return {
    kind: 'number',
    description,
    default: undefined,
    defaultText: 'none',
    parse: (raw) => {
      const written = typeof raw === 'number' ? String(raw) : asText(raw).trim();
      const value = /^\d{1,10}(\.\d{1,6})?$/.test(written) ? Number(written) : Number.NaN;
      if (!(value <= moneyMax)) refuse(`an amount from 0 to ${moneyMax} with at most six decimals`);
      return value;
    },
  };
}

/** Defines a boolean, written `true` or `false`. */
export function boolean(description: string, defaultValue: boolean): Setting<boolean> {
  return {
    kind: 'boolean',
    description,
    default: defaultValue,
    defaultText: String(defaultValue),
    parse: (raw) => {
      const written = asText(raw).trim().toLowerCase();
      return written === 'true' ? true : written === 'false' ? false : refuse('true or false');
    },
  };
}

function parseJson(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/**
 * Defines a list of texts: `__0`, `__1` …, or one JSON array. With `someOf`, the list has at least one entry, and
 * each entry is one of these values.
 */
export function list(
  description: string,
  options: { default?: readonly string[]; lengthMax?: number; someOf?: readonly string[] } = {},
): Setting<readonly string[]> {
  return {
    kind: 'list',
    description,
    default: options.default ?? [],
    defaultText: options.default?.join(' ') || 'none',
    parse: (raw) => {
      const value = parseJson(raw);
      if (!Array.isArray(value)) return refuse('a list: a JSON array, or one entry each under …__0, …__1');
      if (options.lengthMax !== undefined && value.length > options.lengthMax)
        refuse(`a list of at most ${options.lengthMax}`);
      const { someOf } = options;
      if (someOf && value.length === 0) refuse(`a list of at least one of ${someOf.join(', ')}`);
      return value.map((entry) => {
        if (typeof entry !== 'string') return refuse('a list of texts');
        if (someOf && !someOf.includes(entry))
          refuse(`a list of ${someOf.join(', ')}: ${entry} is none of these`);
        return entry;
      });
    },
  };
}

/** Defines a map in JSON. `parseValue` checks each value. */
export function map<T>(
  description: string,
  parseValue: (value: unknown, key: string) => T,
): Setting<ReadonlyMap<string, T>> {
  return {
    kind: 'map',
    description,
    default: new Map(),
    defaultText: 'none',
    parse: (raw) => {
      const value = parseJson(raw);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('a JSON object');
      return new Map(Object.entries(value).map(([key, entry]) => [key, parseValue(entry, key)]));
    },
  };
}
