import type { ParameterType } from '@svc/contract';

/** Undefined: no value, so that the default holds. */
export type ParameterValue = string | number | boolean | null | undefined;

/** What was typed as a value of the parameter's type. What does not fit stays text, and the service says why not. */
export function coerce(type: ParameterType, text: string): ParameterValue {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (type === 'Boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  // A number that a double cannot hold exactly is sent as its digits.
  if (type === 'Number' && /^-?\d+(\.\d+)?$/.test(trimmed) && String(Number(trimmed)) === trimmed)
    return Number(trimmed);
  return text;
}

/** The values that are set. */
export const setValues = (
  values: Readonly<Record<string, ParameterValue>>,
): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
