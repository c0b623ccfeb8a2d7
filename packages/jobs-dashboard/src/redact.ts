/** Replacement of redacted values. */
export const mask = '***';

const depthMax = 40;
const pattern =
  /pass(word|wd|phrase|code)|^pwd$|secret|token|authori[sz]ation|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|cookie|credential|connection[-_ ]?string|^ssn$|card[-_ ]?number|^cvc$|^cvv$/i;

/** Returns true for a member name that indicates a secret: passwords, tokens, keys, cookies and similar values. */
export const sensitiveName = (memberName: string): boolean => pattern.test(memberName);

/** Returns a copy of a JSON value in which non-null values of sensitive members are masked, regardless of their type. */
export function redact(value: unknown, isSensitive: (name: string) => boolean, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > depthMax) return mask;
  if (Array.isArray(value)) return value.map((item) => redact(item, isSensitive, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSensitive(name) && member !== null ? mask : redact(member, isSensitive, depth + 1),
    ]),
  );
}

/** Masks a captured body: JSON by its members, a form by its fields. Other text does not change. */
export function redactBody(text: string, isSensitive: (name: string) => boolean): string {
  const start = text.trimStart()[0];
  if (start === '{' || start === '[') {
    try {
      return JSON.stringify(redact(JSON.parse(text), isSensitive));
    } catch {
      // The body was cut at its capture and is not valid JSON.
      return redactPart(text, isSensitive);
    }
  }
  if (!/^[\w%.+~-]+=/.test(text)) return text;
  return text
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at > 0 && isSensitive(decode(pair.slice(0, at))) ? `${pair.slice(0, at)}=${mask}` : pair;
    })
    .join('&');
}

/**
 * Masks cut JSON: checks every `"name": value` separately. The text ends at a sensitive member whose value is an object
 * or list, or was cut.
 */
function redactPart(text: string, isSensitive: (name: string) => boolean): string {
  const member = /"((?:[^"\\]|\\.)*)"\s*:\s*/g;
  let shown = '';
  let from = 0;
  for (let match = member.exec(text); match; match = member.exec(text)) {
    if (!isSensitive(plainName(match[1] ?? ''))) continue;
    const valueAt = member.lastIndex;
    shown += `${text.slice(from, valueAt)}"${mask}"`;
    const rest = text.slice(valueAt);
    const scalar = /^(?:"(?:[^"\\]|\\.)*"|[^\s"{[,}\]]+)/.exec(rest);
    if (!scalar) return shown;
    from = valueAt + scalar[0].length;
    member.lastIndex = from;
  }
  return shown + text.slice(from);
}

/** Returns a member name with its escapes decoded. */
function plainName(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
