import { isMap, isScalar, isSeq, Lexer, parseDocument, stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Maximum size of a document, in bytes. */
export const documentBytesMax = 1_048_576;
const tokensMax = 200_000;
const depthMax = 40;

/** An invalid document, with the reason. */
export class YamlError extends Error {
  override readonly name: string = 'YamlError';
  /** Reason, as the end of a sentence. */
  readonly why: string;

  constructor(why: string) {
    super(`The document cannot be read: ${why}.`);
    this.why = why;
  }
}

const refused = (why: string) => new YamlError(why);

/**
 * Reads a document of YAML 1.2, including JSON. The text is untrusted. Anchors, aliases and tags are refused before
 * composition, because they can expand a small document or name code. Nesting that could exhaust a stack is refused
 * as well.
 *
 * @throws YamlError with the reason.
 */
export function readYaml(text: string): JsonObject {
  if (Buffer.byteLength(text) > documentBytesMax) throw refused('it is larger than 1 MB');
  refuseTokens(text);
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    // Duplicate keys are checked below, because the parser compares each key with each other.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    stringKeys: true,
  });
  const [error] = document.errors;
  if (error) throw refused(`it is no YAML (${error.code}, at character ${error.pos[0]})`);
  const read = plain(document.contents);
  if (!isObject(read)) throw refused('it is no mapping');
  return read;
}

/** Converts a node to a JSON value. */
function plain(node: unknown): Json {
  if (isMap(node)) {
    const members = node.items.map(({ key, value }): [string, Json] => [nameOf(key), plain(value)]);
    const names = new Set(members.map(([name]) => name));
    if (names.size !== members.length) throw refused('a mapping names a member twice');
    return Object.fromEntries(members);
  }
  if (isSeq(node)) return node.items.map(plain);
  if (!isScalar(node) || node.value === undefined) return null;
  const { value } = node;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw refused('it holds a number that is none');
}

function nameOf(key: unknown): string {
  const name = isScalar(key) ? key.value : key;
  if (typeof name !== 'string' || name === '__proto__')
    throw refused('a mapping has a member without a name');
  return name;
}

/** Refuses a document by its tokens, before composition. */
function refuseTokens(text: string): void {
  const isTooDeep = createNesting();
  let tokens = 0;
  let before = '\n';
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > tokensMax) throw refused('it has too many parts');
    // The token after this mark is the text of a scalar.
    const isText = before === scalarMark;
    const why = isText ? undefined : refusedTokens[token[0] ?? ''];
    if (why !== undefined) throw refused(why);
    if (!isText && isTooDeep(token, before)) throw refused('it is nested too deeply');
    before = isText ? '' : token;
  }
}

/** Tracks the nesting of tokens: brackets, lists within lists on one line, indentation. */
function createNesting(): (token: string, before: string) => boolean {
  let brackets = 0;
  let lineItems = 0;
  return (token, before) => {
    brackets += bracketOf[token] ?? 0;
    if (isLineEnd(token)) lineItems = 0;
    else if (indicators.has(token)) lineItems += 1;
    const indent = token.startsWith(' ') && isLineEnd(before) ? token.length : 0;
    return brackets > depthMax || (brackets === 0 && lineItems > depthMax) || indent > indentMax;
  };
}

const bracketOf: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
const scalarMark = '\u001f';
const indentMax = 400;
const indicators: ReadonlySet<string> = new Set(['-', '?', ':']);
const isLineEnd = (token: string): boolean => token.startsWith('\n') || token.startsWith('\r');
const refusedTokens: Readonly<Record<string, string>> = {
  '&': 'anchors are not read',
  '*': 'aliases are not read',
  '!': 'tags are not read',
  '%': 'directives are not read',
};

/** Writes a document as YAML that `readYaml` reads. */
export const writeYaml = (document: JsonObject): string =>
  stringify(document, { version: '1.2', schema: 'core', aliasDuplicateObjects: false, lineWidth: 0 });
