import {
  count,
  limitText,
  plural,
  relativeTime,
  scoreText,
  shortTime as shortTimeIn,
  untilTime as untilTimeIn,
} from '@svc/contract';

export { count, limitText, plural, relativeTime, scoreText };

const locale = 'en';

/** Time zone of this browser. */
export const browserZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zone of displayed times: from the user's settings, or else from the browser. */
export let viewerZone: string = zoneFor(null);

/** Sets the time zone of displayed times. It applies from the next render. */
export function showTimesIn(zone: string | null): void {
  viewerZone = zoneFor(zone);
}

/** Returns the zone, or the zone of the browser if the browser does not support it. */
function zoneFor(zone: string | null): string {
  return zone !== null && isKnownZone(zone) ? zone : browserZone;
}

function isKnownZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat(locale, { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Formats a time, such as "Sat 21 Nov 2026, 08:00:05 CET", in the viewer's zone or a named one. */
export const exactTime = (time: string, zone: string = viewerZone): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
    timeZoneName: 'short',
  }).format(new Date(time));

/** Formats a time, such as "Mon 23 Nov, 08:00", in the viewer's zone or a named one. Adds seconds on request. */
export const shortTime = (time: string, zone: string = viewerZone, hasSeconds = false): string =>
  shortTimeIn(time, zone, hasSeconds);

/** Formats an end time, such as "until Mon 23 Nov, 08:00", in the viewer's zone. */
export const untilTime = (time: string): string => untilTimeIn(time, viewerZone);

/** Formats a date, such as "21 Nov 2026". */
export const dateOnly = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: viewerZone,
  }).format(new Date(time));

const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const amountMin = 0.0001;

/**
 * Formats an amount in the currency of the prices, such as "1.50" or "0.0012". It has up to four decimals, because a
 * call can cost less than a cent.
 */
export const money = (value: number): string =>
  value > 0 && value < amountMin ? `under ${amountMin}` : amount.format(value);

/** Describes the usage of a language model: tokens, and their cost if prices are known. */
export function takenInWords({
  tokens: { input, output, isEstimated },
  cost,
}: {
  readonly tokens: { readonly input: number; readonly output: number; readonly isEstimated: boolean };
  readonly cost: number | null;
}): string {
  const used = `${plural(input + output, 'token')}${isEstimated ? ' at most' : ''}`;
  return cost === null ? used : `${used}, which cost ${money(cost)}`;
}

/** Formats a duration, such as "340 ms", "2.4 s" or "3 min 5 s". */
export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

const bytesPerUnit = 1_000;

/** Formats a size, such as "0 B", "12 kB" or "3.4 MB". */
export function size(bytes: number): string {
  if (bytes < bytesPerUnit) return `${bytes} B`;
  const kb = bytes / bytesPerUnit;
  return kb < bytesPerUnit ? `${Math.round(kb)} kB` : `${(kb / bytesPerUnit).toFixed(1)} MB`;
}

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const bytesPerBinaryUnit = 1_024;

/** Formats the number of scanned bytes, in the binary units of the engine's limits: "0 B", "1.5 GiB". */
export function scanned(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / Math.log2(bytesPerBinaryUnit));
  const unit = Math.min(power, binaryUnits.length - 1);
  return `${Number((bytes / bytesPerBinaryUnit ** unit).toFixed(1))} ${binaryUnits[unit]}`;
}

const abbreviation = /\b(?:api|llm|mcp|oidc|sql|url)\b/gi;

/** Returns "Below threshold" for "BelowThreshold". */
export const words = (word: string): string => {
  const spaced = word.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  const sentence = spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
  return sentence.replaceAll(abbreviation, (letters) => letters.toUpperCase());
};
