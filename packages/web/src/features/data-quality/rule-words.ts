import type { RuleConfig, RuleType } from '@svc/contract';
import { count, plural, words } from '../../lib/format.ts';

/** Requirement of each type of rule, as a hint for choosing between them. */
export const typeHints: Readonly<{ [type in RuleType]: string }> = {
  Freshness: 'The newest row is not too old.',
  Volume: 'The table has as many rows as it should.',
  NullRate: 'Columns are filled in.',
  Range: 'Values lie between two ends.',
  Pattern: 'Texts look as they should.',
  AcceptedValues: 'Values are of a list.',
  Referential: 'What rows refer to exists.',
  Uniqueness: 'No two rows share a key.',
  Schema: 'Columns are there, with their types.',
  CustomSql: 'A statement of your own decides.',
};

const hour = 60;
const day = 24 * hour;

/** Formats an age, such as "90 minutes", "4 hours" or "2 days". */
export function ageInWords(minutes: number): string {
  if (minutes > 0 && minutes % day === 0) return plural(minutes / day, 'day');
  return minutes > 0 && minutes % hour === 0 ? plural(minutes / hour, 'hour') : plural(minutes, 'minute');
}

function rangeInWords(min: string | number | null | undefined, max: string | number | null | undefined) {
  if (min == null) return max == null ? 'within its ends' : `at most ${max}`;
  return max == null ? `at least ${min}` : `from ${min} to ${max}`;
}

function volumeInWords({ minRows = null, maxRows = null }: RuleConfig): string {
  if (minRows === null) return maxRows === null ? 'Number of rows' : `At most ${plural(maxRows, 'row')}`;
  return maxRows === null
    ? `At least ${plural(minRows, 'row')}`
    : `${count(minRows)} to ${plural(maxRows, 'row')}`;
}

const listed = 4;
const nameMax = 200;

type Asked = { readonly type: RuleType; readonly columns: readonly string[]; readonly config: RuleConfig };

/** Describes a rule. The description is the default name of the rule. */
export function ruleInWords({ type, columns, config }: Asked): string {
  const named = columns.length === 0 ? undefined : columns.join(', ');
  const of = (text: string): string => (named === undefined ? words(type) : `${named} ${text}`);
  const say = (): string => {
    switch (type) {
      case 'Freshness':
        return of(`is at most ${ageInWords(config.maxAgeMinutes ?? 0)} old`);
      case 'Volume':
        return volumeInWords(config);
      case 'NullRate':
        return of(columns.length === 1 ? 'is filled in' : 'are filled in');
      case 'Range':
        return of(`is ${rangeInWords(config.min, config.max)}`);
      case 'Pattern':
        return of(`matches ${config.pattern ?? ''}`.trim());
      case 'AcceptedValues': {
        const { values = [] } = config;
        const more = values.length > listed ? ` or ${plural(values.length - listed, 'other')}` : '';
        return of(`is ${values.slice(0, listed).join(', ') || 'of a list'}${more}`);
      }
      case 'Referential':
        return of(`${columns.length === 1 ? 'exists' : 'exist'} in ${config.table || 'another table'}`);
      case 'Uniqueness':
        return of(columns.length === 1 ? 'is unique' : 'are unique together');
      case 'Schema':
        return `${plural(config.expected?.length ?? 0, 'column')} as expected`;
      case 'CustomSql':
        return words(type);
    }
  };
  return say().slice(0, nameMax);
}
