import { rowsToRecords } from './cell.ts';
import type { NumberFormat } from './exact-json.ts';
import { flaggedAnomalyOf, type Message, previewRowsOf, sourceName } from './message.ts';

/** Characters of a stored template, at most. */
export const templateCharactersMax = 65_536;
/** Characters of a filled template, at most. Beyond this limit the default body is sent. */
export const templateOutputCharactersMax = 1_048_576;
/** Characters of a placeholder name, at most. A longer text between braces is no placeholder. */
const nameCharactersMax = 100;

/** Placeholders, as the spec writes them (3, section 2.4). Templates may use any case. */
export const placeholderNames = [
  'Timestamp',
  'Source',
  'SubscriptionName',
  'SubscriptionId',
  'DataSourceName',
  'SqlQuery',
  'TotalRecords',
  'ExecutionTimeMs',
  'PreviousResultCount',
  'TimedOut',
  'Records',
  'NotificationUrl',
  'Anomaly.IsAnomaly',
  'Anomaly.Severity',
  'Anomaly.Explanation',
] as const;

export type PlaceholderName = (typeof placeholderNames)[number];

const prettySuffix = '_pretty';
const byLowerName = new Map(placeholderNames.map((name) => [name.toLowerCase(), name]));

type PlaceholderValue = { readonly text: string; readonly json: unknown };

const asText = (text: string | undefined): PlaceholderValue => ({ text: text ?? '', json: text });
const asInteger = (value: number | undefined): PlaceholderValue => ({
  text: value?.toFixed(0) ?? '',
  json: value,
});
const asDecimal = (value: number | undefined): PlaceholderValue => ({
  text: value?.toFixed(2) ?? '',
  json: value,
});
const asBoolean = (value: boolean | undefined): PlaceholderValue => ({
  text: value?.toString() ?? '',
  json: value,
});

function placeholderValue(
  name: PlaceholderName,
  message: Message,
  numbers: NumberFormat | undefined,
): PlaceholderValue {
  switch (name) {
    case 'Timestamp':
      return asText(message.timestamp.toISOString());
    case 'Source':
      return asText(sourceName);
    case 'SubscriptionName':
      return asText(message.subscriptionName);
    case 'SubscriptionId':
      return asInteger(message.subscriptionId);
    case 'DataSourceName':
      return asText(message.dataSourceName);
    case 'SqlQuery':
      return asText(message.queryText);
    case 'TotalRecords':
      return asInteger(message.totalRows);
    case 'ExecutionTimeMs':
      return asDecimal(message.executionTimeMs);
    case 'PreviousResultCount':
      return asInteger(message.previousCount);
    case 'TimedOut':
      return asBoolean(message.timedOut);
    case 'Records': {
      const json = rowsToRecords(message.columns, previewRowsOf(message), {
        kinds: message.columnKinds,
        numbers,
      });
      return { text: JSON.stringify(json), json };
    }
    case 'NotificationUrl':
      return asText(message.notificationUrl);
    case 'Anomaly.IsAnomaly':
      return asBoolean(flaggedAnomalyOf(message)?.isAnomaly);
    case 'Anomaly.Severity':
      return asText(flaggedAnomalyOf(message)?.severity);
    case 'Anomaly.Explanation':
      return asText(flaggedAnomalyOf(message)?.explanation);
  }
}

/** A piece of a template: literal text, or the text between double braces. */
type Piece = { readonly text: string } | { readonly placeholder: string };

/**
 * Splits a template in one pass from left to right. Inserted values are never parsed, so braces in a value stay
 * unchanged.
 */
function* piecesOf(template: string): Generator<Piece> {
  let at = 0;
  let close = -1;
  while (at < template.length) {
    let start = template.indexOf('{{', at);
    if (start < 0) break;
    // In "{{{" the first brace is text: templates are JSON, and an object may contain a placeholder.
    while (template[start + 2] === '{') start += 1;
    if (close < start + 2) close = template.indexOf('}}', start + 2);
    if (close < 0) break;
    const name = close - start - 2 <= nameCharactersMax ? template.slice(start + 2, close).trim() : '';
    if (name !== '' && !/[{}"\r\n]/.test(name)) {
      yield { text: template.slice(at, start) };
      yield { placeholder: name };
      at = close + 2;
    } else {
      yield { text: template.slice(at, start + 2) };
      at = start + 2;
    }
  }
  yield { text: template.slice(at) };
}

function lookUp(placeholder: string): { name: PlaceholderName; isPretty: boolean } | undefined {
  const lower = placeholder.toLowerCase();
  const isPretty = lower.endsWith(prettySuffix);
  const name = byLowerName.get(isPretty ? lower.slice(0, -prettySuffix.length) : lower);
  return name && { name, isPretty };
}

function expand(placeholder: string, message: Message, numbers: NumberFormat | undefined): string {
  const match = lookUp(placeholder);
  if (!match) return `{{UNKNOWN:${placeholder}}}`;
  const { text, json } = placeholderValue(match.name, message, numbers);
  return match.isPretty ? (JSON.stringify(json, null, 2) ?? '') : text;
}

/**
 * Fills a template (spec 3 section 2.4). Text is inserted without JSON escaping: the template's author adds quotes. The
 * result need not be JSON.
 *
 * @param numbers  Form of numbers in `Records`. Default `Text`.
 *
 * @returns undefined if the template or the result is too long.
 */
export function fillTemplate(template: string, message: Message, numbers?: NumberFormat): string | undefined {
  if (template.length > templateCharactersMax) return undefined;
  const parts: string[] = [];
  let length = 0;
  for (const piece of piecesOf(template)) {
    const part = 'text' in piece ? piece.text : expand(piece.placeholder, message, numbers);
    length += part.length;
    if (length > templateOutputCharactersMax) return undefined;
    parts.push(part);
  }
  return parts.join('');
}

/** Check of a template without a message. */
export type TemplateReview = {
  /** Reason why the template cannot be saved, or undefined. */
  readonly refusal?: string;
  /** Unknown placeholders; the template may still be saved. */
  readonly unknownPlaceholders: readonly string[];
};

/** Checks a template before it is saved. */
export function reviewTemplate(template: string): TemplateReview {
  if (template.length > templateCharactersMax)
    return { refusal: 'The body template is longer than 65,536 characters.', unknownPlaceholders: [] };
  const names = [...piecesOf(template)].flatMap((piece) =>
    'placeholder' in piece ? [piece.placeholder] : [],
  );
  return { unknownPlaceholders: [...new Set(names.filter((name) => !lookUp(name)))] };
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
