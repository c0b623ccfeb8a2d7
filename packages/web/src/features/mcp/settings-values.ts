import {
  type McpOverrides,
  type McpProjectValues,
  type McpValues,
  rowsToModelChoices,
  savedQueriesChoices,
} from '@svc/contract';

/** Numeric settings with their labels and units. */
export const numberFields = [
  { name: 'maxRows', label: 'Rows of one result', unit: '' },
  { name: 'statementTimeoutSeconds', label: 'Seconds of one statement', unit: ' s' },
  { name: 'maxResultBytes', label: 'Bytes of one result', unit: ' bytes' },
  { name: 'maxConcurrentCalls', label: 'Calls of one caller at once', unit: '' },
  { name: 'maxCallsPerMinute', label: 'Calls of one caller a minute', unit: '' },
] as const;

/** Values of the form. They are texts, because an empty text means an inherited value. */
export type FormValues = {
  isEnabled: string;
  keepsStatements: string;
  learns: string;
  savedQueries: string;
  isAskEnabled: string;
  answersOnlyChecked: string;
  rowsToModel: string;
  candidates: string;
  maxRows: string;
  statementTimeoutSeconds: string;
  maxResultBytes: string;
  maxConcurrentCalls: string;
  maxCallsPerMinute: string;
  hasOwnTools: boolean;
  disabledTools: readonly string[];
  hasOwnPatterns: boolean;
  piiPatterns: string;
  instruction: string;
};

/** Choice for a field that inherits its value. */
export const inherits = 'inherit';

const yesNo = (value: boolean | null): string => (value === null ? inherits : value ? 'yes' : 'no');
const fromYesNo = (value: string): boolean | null => (value === inherits ? null : value === 'yes');
const numberText = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the form values of the settings. Null in the settings means an inherited value. */
export const formValues = (
  set: McpOverrides,
  effective: McpProjectValues,
  instruction: string | null = null,
): FormValues => ({
  isEnabled: yesNo(set.isEnabled),
  keepsStatements: yesNo(set.keepsStatements),
  learns: yesNo(set.learns),
  savedQueries: set.savedQueries ?? inherits,
  isAskEnabled: yesNo(set.isAskEnabled),
  answersOnlyChecked: yesNo(set.answersOnlyChecked),
  rowsToModel: set.rowsToModel ?? inherits,
  candidates: set.candidates === null ? inherits : String(set.candidates),
  maxRows: numberText(set.maxRows),
  statementTimeoutSeconds: numberText(set.statementTimeoutSeconds),
  maxResultBytes: numberText(set.maxResultBytes),
  maxConcurrentCalls: numberText(set.maxConcurrentCalls),
  maxCallsPerMinute: numberText(set.maxCallsPerMinute),
  hasOwnTools: set.disabledTools !== null,
  disabledTools: set.disabledTools ?? effective.disabledTools,
  hasOwnPatterns: set.piiPatterns !== null,
  piiPatterns: (set.piiPatterns ?? effective.piiPatterns).join('\n'),
  instruction: instruction ?? '',
});

/** Converts form values to the settings of a project. Null means an inherited value. */
export const toOverrides = (values: FormValues): McpOverrides => ({
  isEnabled: fromYesNo(values.isEnabled),
  keepsStatements: fromYesNo(values.keepsStatements),
  learns: fromYesNo(values.learns),
  savedQueries: savedQueriesChoices.find((choice) => choice === values.savedQueries) ?? null,
  isAskEnabled: fromYesNo(values.isAskEnabled),
  answersOnlyChecked: fromYesNo(values.answersOnlyChecked),
  rowsToModel: rowsToModelChoices.find((choice) => choice === values.rowsToModel) ?? null,
  candidates: values.candidates === inherits ? null : Number(values.candidates),
  maxRows: numberOf(values.maxRows),
  statementTimeoutSeconds: numberOf(values.statementTimeoutSeconds),
  maxResultBytes: numberOf(values.maxResultBytes),
  maxConcurrentCalls: numberOf(values.maxConcurrentCalls),
  maxCallsPerMinute: numberOf(values.maxCallsPerMinute),
  disabledTools: values.hasOwnTools ? [...values.disabledTools] : null,
  piiPatterns: values.hasOwnPatterns ? lines(values.piiPatterns) : null,
});

/** Returns errors for limits that are not whole numbers. Without this check, they would count as empty. */
export const numberErrors = (values: FormValues): Readonly<{ [field: string]: string }> =>
  Object.fromEntries(
    numberFields.flatMap(({ name }) =>
      /^\s*\d*\s*$/.test(values[name]) ? [] : [[name, 'Fill in a whole number.']],
    ),
  );

/** Returns only the changed values, so that settings which the configuration locks remain untouched. */
export function changedValues(values: FormValues, stored: McpValues): Partial<McpValues> {
  const set = toOverrides({ ...values, hasOwnTools: true, hasOwnPatterns: true });
  const present: Record<string, unknown> = { ...set, instruction: values.instruction.trim() || null };
  return Object.fromEntries(
    Object.entries(present).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof McpValues]),
    ),
  );
}

/** Returns only the changed values of a project. */
export function changedOverrides(values: FormValues, stored: McpOverrides): Partial<McpOverrides> {
  return Object.fromEntries(
    Object.entries(toOverrides(values)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof McpOverrides]),
    ),
  );
}
