import { Button, Menu } from '@mantine/core';
import { type RuleType, ruleTypes } from '@svc/contract';
import { useRights } from '../../../access/use-rights.ts';
import { plural, words } from '../../../lib/format.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import { ruleInWords, typeHints } from '../rule-words.ts';
import classes from './contract-editor.module.css';
import { newRule, type RuleDraft } from './draft.ts';
import { RuleItem } from './rule-item.tsx';
import type { KnownTable } from './rules/rule-part.ts';
import { needsAdmin } from './rules/sql-fields.tsx';
import type { Checks } from './use-checks.ts';
import type { DraftState } from './use-draft.ts';

const rulesMax = 200;

type Props = {
  readonly state: DraftState;
  readonly checks: Checks;
  /** Table of the contract. Undefined until its metadata is loaded. */
  readonly table: KnownTable | undefined;
  readonly tables: readonly KnownTable[];
};

/** Rules in display order, each with its check. */
export function RuleList({ state, checks, table, tables }: Props) {
  const { isAdmin } = useRights();
  const { rules } = state.draft;
  const columns = table?.columns ?? [];
  const checkable = rules.filter(({ type }) => isAdmin || type !== 'CustomSql');
  const uncheckableCount = rules.length - checkable.length;

  const { add, move, copy, remove } = ruleActions(state);
  return (
    <section aria-label="Rules">
      <div className={classes['bar']}>
        <h2>Rules</h2>
        <span className="soft mono">{rules.length}</span>
        <span className="grow" />
        <Button
          leftSection={<Icon name="run" size={14} />}
          disabled={!checks.canAsk || checkable.length === 0}
          loading={checks.isRunning}
          onClick={() => void checks.check(checkable)}
        >
          Check all
        </Button>
        <AddRule
          isOff={state.draft.tableName === null || rules.length >= rulesMax}
          isAdmin={isAdmin}
          onAdd={(type) => add(newRule(type, columns))}
        />
      </div>
      {uncheckableCount > 0 && (
        <p
          className={classes['note']}
        >{`${plural(uncheckableCount, 'rule')} of custom SQL is checked by Admins alone.`}</p>
      )}
      {rules.length === 0 && (
        <p className={classes['note']} role={state.errors['rules'] === undefined ? undefined : 'alert'}>
          {state.errors['rules'] ??
            (state.draft.tableName === null
              ? 'Choose the table first: rules are about its columns.'
              : 'Add a rule that the table must meet.')}
        </p>
      )}
      <ul className={classes['rules']}>
        {rules.map((rule) => (
          <RuleItem
            key={rule.key}
            rule={rule}
            state={state}
            checks={checks}
            columns={columns}
            tables={tables}
            onMove={move}
            onCopy={copy}
            onRemove={remove}
          />
        ))}
      </ul>
    </section>
  );
}

/** Returns the changes of the list. A new rule opens and receives the focus. */
function ruleActions(state: DraftState) {
  const { rules } = state.draft;
  const add = (rule: RuleDraft, at = rules.length) => {
    state.setRules((before) => before.toSpliced(at, 0, rule));
    state.toggle(rule.key, true);
    focusRule(rule.key);
  };
  return {
    add,
    move: (rule: RuleDraft, step: 1 | -1) =>
      state.setRules((before) => {
        const at = before.indexOf(rule);
        return before.toSpliced(at, 1).toSpliced(at + step, 0, rule);
      }),
    copy: (rule: RuleDraft) => {
      const name = `${rule.name.trim() || ruleInWords(rule)} (copy)`.slice(0, 200);
      add({ ...rule, key: randomUuid(), id: null, name }, rules.indexOf(rule) + 1);
    },
    remove: (rule: RuleDraft) => state.setRules((before) => before.filter((each) => each !== rule)),
  };
}

type AddProps = {
  readonly isOff: boolean;
  readonly isAdmin: boolean;
  readonly onAdd: (type: RuleType) => void;
};

const AddRule = ({ isOff, isAdmin, onAdd }: AddProps) => (
  <Menu width={320} returnFocus={false}>
    <Menu.Target>
      <Button leftSection={<Icon name="plus" size={14} />} disabled={isOff}>
        Add rule
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {ruleTypes.map((type) => {
        const isLocked = type === 'CustomSql' && !isAdmin;
        return (
          <Menu.Item key={type} disabled={isLocked} onClick={() => onAdd(type)}>
            <span className={classes['type']}>
              <span>{words(type)}</span>
              <span className="soft">{isLocked ? needsAdmin : typeHints[type]}</span>
            </span>
          </Menu.Item>
        );
      })}
    </Menu.Dropdown>
  </Menu>
);

/** Focuses a new rule, because the user edits it next. */
function focusRule(key: string): void {
  requestAnimationFrame(() => {
    const rule = document.querySelector(`[data-rule="${CSS.escape(key)}"]`);
    rule?.querySelector<HTMLElement>('section :is(input, textarea, button)')?.focus();
  });
}
