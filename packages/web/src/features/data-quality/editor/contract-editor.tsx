import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { DataContract } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { paths } from '../../../lib/paths.ts';
import { isRefusal } from '../../../lib/problem.ts';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { toastDone } from '../../../ui/feedback/toast.tsx';
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { useEditorKeys } from '../../../ui/frame/keys/use-editor-keys.ts';
import { Link } from '../../../ui/frame/link.tsx';
import { Split } from '../../../ui/frame/split.tsx';
import { Status } from '../../../ui/record/status.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { ManagedBadge } from '../../../views/managed/managed-badge.tsx';
import { contract } from '../requests/contracts.ts';
import { ContractConflict } from './contract-conflict.tsx';
import classes from './contract-editor.module.css';
import type { ContractDraft } from './draft.ts';
import { RuleList } from './rule-list.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { TableChoice, useKnownTables } from './table-choice.tsx';
import { useChecks } from './use-checks.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { type Save, useSave } from './use-save.ts';

type Props = {
  /** Contract to change. Null: a new contract. */
  readonly saved: DataContract | null;
  readonly start: ContractDraft;
};

/** Minimum width at which rules and settings are side by side. */
const wide = '(min-width: 1180px)';

/** Editor of a data contract: its table, its rules with their checks, and its settings. */
export function ContractEditor({ saved, start }: Props) {
  const go = useGo();
  const client = useQueryClient();
  const state = useDraft(start);
  const checks = useChecks(state);
  const save = useSave(saved, start, state);
  const { draft } = state;
  const catalog = useKnownTables(draft.dataSourceId?.id);
  const tables = catalog.data?.tables ?? [];
  const table = tables.find(
    ({ schema, name }) => schema === draft.tableName?.schemaName && name === draft.tableName.tableName,
  );
  const isWide = useMediaQuery(wide, true, { getInitialValueInEffect: false });

  const saveNow = async () => {
    if (save.isSaving) return;
    const made = await save.now();
    if (made) {
      toastDone(`The data contract “${made.name}” was saved.`);
      go(paths.contract(made.id), { isSaved: true });
    } else if (saved) void client.invalidateQueries({ queryKey: contract(saved.id).queryKey });
  };
  const checkHere = () => {
    const key = document.activeElement?.closest<HTMLElement>('[data-rule]')?.dataset['rule'];
    const here = draft.rules.find((rule) => rule.key === key);
    void checks.check(here ? [here] : draft.rules);
  };
  useEditorKeys({ onSave: () => void saveNow(), onRun: checkHere });

  const rules = (
    <div className={classes['pane']}>
      <TableChoice state={state} known={catalog} />
      <RuleList state={state} checks={checks} table={table} tables={tables} />
    </div>
  );
  const settings = (
    <div className={classes['pane']}>
      <SettingsPanel state={state} saved={saved} />
    </div>
  );
  return (
    <div className={classes['page']}>
      <UnsavedGuard isDirty={save.isDirty} />
      <EditorHeader saved={saved} state={state} save={save} onSave={() => void saveNow()} />
      {/* The conflict below states the same problem and offers a solution. */}
      <ProblemNote error={isRefusal(save.refusal, 'changed-meanwhile') ? null : save.refusal} />
      {saved && <ContractConflict saved={saved} draft={draft} save={save} onTake={state.take} />}
      <div className={classes['frame']}>
        {isWide ? (
          <Split id="contract" label="Width of the rules" direction="columns" initial={60}>
            {rules}
            {settings}
          </Split>
        ) : (
          <>
            {rules}
            {settings}
          </>
        )}
      </div>
    </div>
  );
}

type HeaderProps = {
  readonly saved: DataContract | null;
  readonly state: DraftState;
  readonly save: Save;
  readonly onSave: () => void;
};

/** Header of the editor: name, save state and save button. */
function EditorHeader({ saved, state, save, onSave }: HeaderProps) {
  const { draft, errors, change } = state;
  const title = saved ? `Edit ${saved.name}` : 'New data contract';
  const error = errors['name'];
  useEffect(() => {
    document.title = `${title} · Svc`;
  }, [title]);
  return (
    <header className={classes['header']}>
      <h1 id="page-title" tabIndex={-1} className="visually-hidden">
        {title}
      </h1>
      <nav aria-label="Breadcrumb" className="soft row" style={{ gap: 6 }}>
        <Icon name="left" size={12} />
        {saved ? (
          <Link to={paths.contract(saved.id)}>{saved.name}</Link>
        ) : (
          <Link to={paths.dataQuality()}>Data quality</Link>
        )}
      </nav>
      <input
        aria-label="Name of the contract"
        placeholder="Name this contract"
        className={classes['name']}
        maxLength={200}
        value={draft.name}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : 'contract-name-error'}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {error !== undefined && (
        <span id="contract-name-error" role="alert" className={classes['error']}>
          {error}
        </span>
      )}
      {saved && <ManagedBadge kind="Contract" id={saved.id} />}
      <span className="grow" />
      <span role="status">
        {save.isDirty ? (
          <Status tone="amber">Not saved</Status>
        ) : saved ? (
          <Status tone="green">Saved</Status>
        ) : null}
      </span>
      <Button variant="filled" onClick={onSave} loading={save.isSaving} disabled={!save.isDirty}>
        Save
      </Button>
    </header>
  );
}
