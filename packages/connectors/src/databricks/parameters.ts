import type { BoundValue } from '../bound-value.ts';

const digitsMax = 38;
const bigintDigitsMax = 18;

const nameOf = (number: number): string => `svc_p${number}`;

/** Returns the marker of the value with this number. The value declares its own type. */
export const databricksMarker = (number: number): string => `:${nameOf(number)}`;

/** Matches only markers that `databricksMarker` writes. */
export const ownMarker = /^:svc_p\d+$/;

/** Value as the service accepts it: a text that the service converts to the type. */
export type Parameter = {
  readonly name: string;
  readonly type: string;
  /** Absent: NULL. */
  readonly value?: string;
};

export const parametersOf = (values: readonly BoundValue[]): readonly Parameter[] =>
  values.map((value, index) => ({
    name: nameOf(index + 1),
    type: typeOf(value),
    ...(value.value !== null && { value: String(value.value) }),
  }));

function typeOf({ type, value }: BoundValue): string {
  switch (type) {
    case 'Number':
      return numberType(value);
    case 'DateTime':
      return 'TIMESTAMP';
    case 'Date':
      return 'DATE';
    case 'Boolean':
      return 'BOOLEAN';
    case 'String':
      return 'STRING';
  }
}

/** Returns the narrowest type that retains all digits. */
function numberType(value: string | null): string {
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(value ?? '0');
  const integerLength = match?.[1]?.length ?? 0;
  const scale = match?.[2]?.length ?? 0;
  if (!match || integerLength + scale > digitsMax) return 'DOUBLE';
  return scale === 0 && integerLength <= bigintDigitsMax
    ? 'BIGINT'
    : `DECIMAL(${integerLength + scale},${scale})`;
}
