import type { ParameterType } from '@svc/contract';

/** Undefined: no value, so that the default applies. */
export type ParameterValue = string | number | boolean | null | undefined;

/**
 * Converts a text to a value of the parameter's type. An invalid text remains a text, and the service reports the
 * error.
 */
export function coerce(type: ParameterType, text: string): ParameterValue {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (type === 'Boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  // A number that a double cannot represent exactly is sent as a text.
  if (type === 'Number' && /^-?\d+(\.\d+)?$/.test(trimmed) && String(Number(trimmed)) === trimmed)
    return Number(trimmed);
  return text;
}

/** Returns the values that are set. */
export const setValues = (
  values: Readonly<Record<string, ParameterValue>>,
): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
