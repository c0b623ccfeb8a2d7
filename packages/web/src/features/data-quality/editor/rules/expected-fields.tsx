import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import type { RuleConfig } from '@svc/contract';
import { plural } from '../../../../lib/format.ts';
import { Icon } from '../../../../ui/text/icons.tsx';
import { expectedOf } from '../draft.ts';
import classes from './expected-fields.module.css';
import { errorAt, type RulePart } from './rule-part.ts';

type Expected = NonNullable<RuleConfig['expected']>[number];

/** Expected columns of a Schema rule, optionally with type and nullability. */
export function ExpectedFields({ rule, columns, errors, change }: RulePart) {
  const expected = rule.config.expected ?? [];
  const set = (next: readonly Expected[]) => change({ config: { ...rule.config, expected: [...next] } });
  const setAt = (at: number, part: Partial<Expected>) =>
    set(expected.map((each, index) => (index === at ? { ...each, ...part } : each)));
  const missing = columns.filter(({ name }) => !expected.some((each) => each.name === name));
  return (
    <div className="stack-tight">
      <p className="soft">
        {expected.length === 0
          ? 'No column is expected yet.'
          : `${plural(expected.length, 'column')} must be there. A type or a refusal of NULL that is not given may be anything.`}
      </p>
      {expected.length > 0 && (
        <ul className={classes['columns']}>
          {expected.map((each, at) => (
            <li key={each.name}>
              <code className={classes['name']}>{each.name}</code>
              <TextInput
                aria-label={`Type of ${each.name}`}
                placeholder="Any type"
                value={each.databaseType ?? ''}
                error={errors[`config/expected/${at}/databaseType`]}
                onChange={(event) => setAt(at, { databaseType: event.currentTarget.value || null })}
                w={184}
              />
              <Checkbox
                label="Refuses NULL"
                checked={each.isNullable === false}
                onChange={(event) => setAt(at, { isNullable: event.currentTarget.checked ? false : null })}
              />
              <ActionIcon
                aria-label={`Do not expect ${each.name}`}
                onClick={() => set(expected.filter((_, index) => index !== at))}
              >
                <Icon name="close" />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {errorAt(errors, 'config/expected') !== undefined && (
        <p role="alert" className={classes['error']}>
          {errorAt(errors, 'config/expected')}
        </p>
      )}
      {missing.length > 0 && (
        <div>
          <Button size="compact-sm" onClick={() => set([...expected, ...expectedOf(missing)])}>
            {expected.length === 0
              ? 'Expect the columns as they are now'
              : `Expect ${plural(missing.length, 'more column')} of the table`}
          </Button>
        </div>
      )}
    </div>
  );
}
