import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useRights } from '../../../access/use-rights.ts';
import { within } from '../../../lib/form.ts';
import { words } from '../../../lib/format.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { Tag } from '../../../ui/record/status.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { failingInWords, Sample } from '../finding.tsx';
import { Outcome } from '../outcome.tsx';
import { ruleInWords, typeHints } from '../rule-words.ts';
import type { RuleDraft } from './draft.ts';
import { columnsMax } from './draft-faults.ts';
import classes from './rule-item.module.css';
import { ColumnFields } from './rules/column-fields.tsx';
import { JudgingFields } from './rules/judging-fields.tsx';
import type { KnownColumn, KnownTable } from './rules/rule-part.ts';
import { needsAdmin } from './rules/sql-fields.tsx';
import { TypeFields } from './rules/type-fields.tsx';
import type { Checks } from './use-checks.ts';
import type { DraftState } from './use-draft.ts';

export type RuleActs = {
  readonly onCopy: (rule: RuleDraft) => void;
  readonly onMove: (rule: RuleDraft, step: 1 | -1) => void;
  readonly onRemove: (rule: RuleDraft) => void;
};

type Props = RuleActs & {
  readonly rule: RuleDraft;
  readonly state: DraftState;
  readonly checks: Checks;
  readonly columns: readonly KnownColumn[];
  readonly tables: readonly KnownTable[];
};

/** One rule: its requirement, the result of its check, and its fields. */
export function RuleItem(props: Props) {
  const { rule, state, checks } = props;
  const { isAdmin } = useRights();
  const isOpen = state.isOpen(rule.key);
  const errors = within(state.errors, `rules/${rule.key}`);
  const name = rule.name.trim() || ruleInWords(rule);
  const isLocked = rule.type === 'CustomSql' && !isAdmin;
  const isAsked = checks.stateOf(rule)?.kind === 'running';
  const bodyId = `body-${rule.key.replaceAll(' ', '-')}`;
  return (
    <li className={classes['rule']} data-rule={rule.key} data-broken={Object.keys(errors).length > 0}>
      <div className={classes['head']}>
        <button
          type="button"
          className={classes['toggle']}
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={() => state.toggle(rule.key)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
          <span className={classes['name']}>{name}</span>
        </button>
        <span className={classes['tags']}>
          <Tag>{words(rule.type)}</Tag>
          <Tag>{rule.severity}</Tag>
          {!rule.isEnabled && <Tag>Off</Tag>}
        </span>
        <span className={classes['acts']}>
          <Button
            aria-label={`Check: ${name}`}
            leftSection={<Icon name="run" size={14} />}
            size="compact-md"
            disabled={!checks.canAsk || isLocked}
            title={isLocked ? needsAdmin : undefined}
            loading={isAsked}
            onClick={() => void checks.check([rule])}
          >
            Check
          </Button>
          <RuleMenu {...props} name={name} isLocked={isLocked} />
        </span>
      </div>
      <Finding name={name} rule={rule} checks={checks} />
      {isOpen && (
        <section id={bodyId} className={classes['body']} aria-label={name}>
          <RuleBody {...props} errors={errors} />
        </section>
      )}
    </li>
  );
}

function RuleBody({
  rule,
  state,
  checks,
  columns,
  tables,
  errors,
}: Props & { errors: Record<string, string> }) {
  const change = (part: Partial<RuleDraft>) => state.changeRule(rule.key, part);
  const last = checks.stateOf(rule);
  const failure =
    last?.kind === 'done' && last.result.outcome === 'Error' && checks.isOfNow(rule, last)
      ? (last.result.message ?? undefined)
      : undefined;
  const part = {
    rule,
    columns,
    tables,
    errors,
    change,
    failure,
    sourceId: state.draft.dataSourceId?.id ?? null,
    onCheck: () => void checks.check([rule]),
  };
  const others = errors['type'] ?? errors['id'] ?? errors['config'] ?? errors[''];
  return (
    <>
      <p className="soft">{typeHints[rule.type]}</p>
      {others !== undefined && (
        <p role="alert" className={classes['error']}>
          {others}
        </p>
      )}
      {columnsMax(rule.type) > 0 && <ColumnFields {...part} />}
      <TypeFields {...part} />
      <JudgingFields {...part} />
      <TextInput
        label="Name (optional)"
        placeholder={ruleInWords(rule)}
        maxLength={200}
        value={rule.name}
        error={errors['name']}
        onChange={(event) => change({ name: event.currentTarget.value })}
        maw={480}
      />
    </>
  );
}

type MenuProps = Props & { readonly name: string; readonly isLocked: boolean };

const RuleMenu = ({ rule, state, name, isLocked, onCopy, onMove, onRemove }: MenuProps) => {
  const at = state.draft.rules.indexOf(rule);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for the rule ${name}`} size={28}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => state.changeRule(rule.key, { isEnabled: !rule.isEnabled })}>
          {rule.isEnabled ? 'Switch off' : 'Switch on'}
        </Menu.Item>
        <Menu.Item disabled={isLocked} onClick={() => onCopy(rule)}>
          Duplicate
        </Menu.Item>
        <Menu.Item disabled={at === 0} onClick={() => onMove(rule, -1)}>
          Move up
        </Menu.Item>
        <Menu.Item disabled={at === state.draft.rules.length - 1} onClick={() => onMove(rule, 1)}>
          Move down
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => onRemove(rule)}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Result of the rule's last check, with rows that break the rule. */
function Finding({ name, rule, checks }: Pick<MenuProps, 'name' | 'rule' | 'checks'>) {
  const state = checks.stateOf(rule);
  return (
    <div className={classes['finding']} aria-live="polite">
      {state?.kind === 'refused' && <ProblemNote error={state.error} />}
      {state?.kind === 'done' && (
        <div className={classes['answer']} data-old={!checks.isOfNow(rule, state)}>
          <p className={classes['verdict']}>
            <Outcome status={state.result.outcome} />
            <span>
              {[failingInWords(state.result), state.result.message ?? '']
                .filter((text) => text !== '')
                .join(' · ')}
            </span>
            {!checks.isOfNow(rule, state) && (
              <span className="soft">The rule has changed since: check it again.</span>
            )}
          </p>
          {state.result.sample && state.result.sample.rows.length > 0 && (
            <Sample about={name} sample={state.result.sample} isOpen />
          )}
        </div>
      )}
    </div>
  );
}
