import type { SourceName } from '@svc/connectors';

/** Reason why a column is masked. `Values`: single values, by their form. */
export type MaskingReason =
  | { readonly kind: 'Source'; readonly source: SourceName }
  | { readonly kind: 'Name' }
  | { readonly kind: 'Expression'; readonly why: string | null }
  | { readonly kind: 'Values' }
  | { readonly kind: 'Patterns' };

/** Maximum length of a source's name in a reason. A longer name is truncated. */
const nameLengthMax = 80;
const shortened = (name: string): string =>
  name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name;

/** Returns a text that explains why a column is masked and how to change the statement. */
export function reasonText(reason: MaskingReason): string {
  switch (reason.kind) {
    case 'Source': {
      const { relation, column } = reason.source;
      const name = shortened(relation === null ? column : `${relation}.${column}`);
      return `Values of ${name} flow into this column. Leave ${name} out of its expression; counts and conditions over it stay readable.`;
    }
    case 'Name':
      return 'The name of this column stands for personal data. Give it another name if its values are not personal, or leave it out.';
    case 'Expression':
      return `It is not certain which columns flow into this column${reason.why === null ? '' : ` (${shortened(reason.why)})`}, and the statement reads or may read personal data. Select columns of tables directly, and leave personal columns out.`;
    case 'Values':
      return 'Some values have the form of personal data, such as an email address, a phone number or a card number. Only these values are masked.';
    case 'Patterns':
      return 'A masking pattern of the operator cannot be read, so every value is masked. An administrator must correct the pattern.';
    default:
      return reason satisfies never;
  }
}
