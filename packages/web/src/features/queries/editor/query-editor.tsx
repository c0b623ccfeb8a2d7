import type { ExportFormat, Query, QueryPreview } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { isCodeMissing, isRefusal, problemOf } from '../../../lib/problem.ts';
import { queryClient } from '../../../lib/server-state.ts';
import { linkedSources } from '../../../requests/projects.ts';
import { query as queryRead } from '../../../requests/queries.ts';
import { runDraft } from '../../../requests/query-runs.ts';
import { LazyPart, later } from '../../../ui/feedback/lazy-part.tsx';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { toastDone, toastProblem } from '../../../ui/feedback/toast.tsx';
import { useDownload } from '../../../ui/feedback/use-download.ts';
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx';
import { useGo } from '../../../ui/frame/go.ts';
import { Split } from '../../../ui/frame/split.tsx';
import { useEditorKeys } from '../../../ui/frame/use-editor-keys.ts';
import { Icon } from '../../../ui/text/icons.tsx';
import {
  type Draft,
  type DraftStep,
  parameterNames,
  type RunTarget,
  runOf,
  usedParameters,
  whyNotRun,
} from '../../../views/query-run/draft.ts';
import { type ParameterValue, setValues } from '../../../views/query-run/parameter-values.ts';
import { useRun } from '../../../views/query-run/use-run.ts';
import type { SqlEditorHandle } from '../../../views/sql/sql-editor.tsx';
import { SqlField } from '../../../views/sql/sql-field.tsx';
import { downloadResult } from '../requests/download.ts';
import { ownRunsKey } from '../requests/runs.ts';
import { ResultsPanel } from '../results/results-panel.tsx';
import { type SeenColumns, useSqlNames } from './draft/use-sql-names.ts';
import { EditorHeader } from './editor-header.tsx';
import classes from './query-editor.module.css';
import { parameterOf, placeholderOf, placeOf } from './runs/problem-place.ts';
import { useParameterFocus } from './runs/use-parameter-focus.ts';
import { useTakeRun } from './runs/use-take-run.tsx';
import { ConflictLater } from './saving/conflict-later.tsx';
import { useNewer } from './saving/use-newer.ts';
import { useReplaceCheck } from './saving/use-replace-check.tsx';
import { useSave } from './saving/use-save.ts';
import { useSaveCheck } from './saving/use-save-check.tsx';
import { WaitingNoteLater } from './saving/waiting-note-later.tsx';
import { SidePanel, type SideView } from './side/side-panel.tsx';
import { EditorTools } from './text/editor-tools.tsx';
import { StepTabs } from './text/step-tabs.tsx';

type Props = {
  readonly saved: Query | null;
  readonly start: Draft;
  /** Id of the version that waits for approval and has the text of `start`. Default: none. */
  readonly waitingId?: number | null;
  /** Called after the first save of a new query. The editor stays mounted although its address changes. */
  readonly onMade?: (query: Query) => void;
};

const whole: RunTarget = { kind: 'all' };

const checksPart = later(() => import('../../../views/query-run/checks.tsx').then(({ Checks }) => Checks));
const planPart = later(() => import('../../../views/query-run/plan.tsx').then(({ Plan }) => Plan));
const runsPart = later(() => import('./runs/own-runs.tsx').then(({ OwnRuns }) => OwnRuns));

/** Returns the labels of a step of an engine. */
const wordsOf = (engine: string) =>
  engine === 'Rest'
    ? { language: 'JSON', step: 'Request of this step' }
    : { language: 'SQL', step: 'SQL of this step' };

/** Editor of a query: the text, a side panel with tables and parameters, and the result below. */
export function QueryEditor({ saved, start, waitingId = null, onMade }: Props) {
  const go = useGo();
  const [draft, setDraft] = useState(start);
  const [present, setPresent] = useState<string>(start.steps[0]?.key ?? 'final');
  const [values, setValuesState] = useState<Readonly<Record<string, ParameterValue>>>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [isSideOpen, setSideOpen] = useState(false);
  const [side, setSide] = useState<SideView>('tables');
  const editor = useRef<SqlEditorHandle>(null);
  const lastTarget = useRef<RunTarget>({ kind: 'all' });
  const run = useRun();
  const save = useSave(saved, { draft: start, waitingId }, draft);
  const newer = useNewer(saved, save);
  const check = useSaveCheck(saved?.id);
  const replace = useReplaceCheck(saved?.id);
  const take = useTakeRun(draft, present, (next, step) => {
    setDraft(next);
    setPresent(step);
  });
  const sources = useQuery({
    ...linkedSources(draft.projectId ?? 0, { pageSize: '200' }),
    enabled: draft.projectId !== null,
  });
  const step = draft.steps.find((candidate) => candidate.key === present);
  const engine =
    sources.data?.items.find((source) => source.id === step?.dataSourceId)?.engine ??
    (step ? 'PostgreSQL' : 'DuckDB');
  const parameters = parameterNames(draft);
  const [seen, setSeen] = useState<SeenColumns>({});
  const names = useSqlNames({ draft, present, parameters, seen });
  const failure = run.state.kind === 'failed' ? run.state.error : undefined;
  const place = useMemo(() => placeOf(failure), [failure]);
  const asked = parameterOf(failure);
  const isPlaceHere = place !== undefined && isHere(place.step, lastTarget.current, draft, present);
  const presentSql = step ? step.sql : (draft.finalQuery ?? '');
  const failedSql = useRef({ failure, sql: presentSql });
  if (failedSql.current.failure !== failure) failedSql.current = { failure, sql: presentSql };
  // The mark stays at the position that the run reported, regardless of later edits.
  const problem = useMemo(
    () =>
      asked === undefined
        ? isPlaceHere
          ? place
          : undefined
        : placeholderOf(failedSql.current.sql, asked, problemOf(failure).detail ?? ''),
    [isPlaceHere, place, asked, failure],
  );
  const showSide = (view: SideView) => {
    setSide(view);
    setSideOpen(true);
  };
  useParameterFocus(asked, failure, () => showSide('parameters'));

  const showTables = () => setSide('tables');

  const linked = sources.data;
  useEffect(() => {
    // A truncated list does not contain all data sources of the project.
    if (!linked || linked.totalCount > linked.items.length) return;
    const ids = new Set(linked.items.map((source) => source.id));
    const isUnheld = ({ dataSourceId }: DraftStep) => dataSourceId !== null && !ids.has(dataSourceId);
    setDraft((before) =>
      before.steps.some(isUnheld)
        ? {
            ...before,
            steps: before.steps.map((each) => (isUnheld(each) ? { ...each, dataSourceId: null } : each)),
          }
        : before,
    );
  }, [linked]);

  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const changeStep = (part: { sql?: string; dataSourceId?: number | null; name?: string }) =>
    setDraft((before) => ({
      ...before,
      steps: before.steps.map((each) => (each.key === present ? { ...each, ...part } : each)),
    }));

  /** Stores the columns of a complete run of a step for completion, with their types. */
  const noteColumns = (target: RunTarget, columns: QueryPreview['columns']) => {
    if (target.kind !== 'step' || target.selection !== null) return;
    const sql = draft.steps.find((each) => each.key === target.key)?.sql;
    if (sql === undefined) return;
    const sqlColumns = columns.map(({ name, databaseType }) => ({ name, type: databaseType }));
    setSeen((before) => ({ ...before, [target.key]: { sql, columns: sqlColumns } }));
  };
  const begin = (target: RunTarget) => {
    const why = whyNotRun(draft, target);
    const body = runOf(draft, target, setValues(values));
    setNotice(why ?? null);
    if (why !== undefined || !body) return;
    lastTarget.current = target;
    void run.start(async (signal, runKey) => {
      try {
        const result = await runDraft(body, runKey, signal);
        noteColumns(target, result.columns);
        return result;
      } finally {
        void queryClient.invalidateQueries({ queryKey: ownRunsKey });
      }
    });
  };
  const runHere = () =>
    begin(
      step
        ? { kind: 'step', key: step.key, selection: editor.current?.selection() ?? null }
        : { kind: 'all' },
    );
  const missing = whyNotRun(draft, whole);
  const wholeBody = missing === undefined ? runOf(draft, whole, setValues(values)) : undefined;
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  /** Saves the draft, then calls `then` if the user is still in the editor. Otherwise only a toast shows the result. */
  const saveThen = async (then: (query: Query) => void) => {
    setNotice(null);
    if (!(await replace.isToBeReplaced(save)) || !(await check.isToBeSaved(draft))) return;
    try {
      const query = await save.now();
      queryClient.setQueryData(queryRead(query.id).queryKey, query);
      const { pendingVersion } = query;
      toastDone(
        pendingVersion === null
          ? `“${query.name}” was saved.`
          : `Version ${pendingVersion.versionNumber} of “${query.name}” waits for approval.`,
        { to: paths.query(query.id), label: 'See it' },
      );
      if (!isLeft.current) then(query);
    } catch (reason) {
      if (saved && isRefusal(reason, 'changed-meanwhile'))
        void queryClient.invalidateQueries({ queryKey: queryRead(saved.id).queryKey });
      // In the editor, the note above the text shows the refusal.
      if (isLeft.current) toastProblem(reason);
    }
  };
  const saveNow = () =>
    saveThen((query) => {
      if (!saved) onMade?.(query);
    });
  const saveAndSubscribe = () =>
    saveThen((query) => {
      if (query.versionNumber !== null)
        go(paths.subscriptions({ new: 'yes', queryId: query.id }), { isSaved: true });
      else if (!saved) onMade?.(query);
    });
  useEditorKeys({ onSave: () => void saveNow(), onRun: runHere });
  const formatNow = async () => {
    const text = step?.sql ?? draft.finalQuery ?? '';
    try {
      const { formatSql } = await import('./text/format-sql.ts');
      const formatted = formatSql(text, engine);
      if (step) changeStep({ sql: formatted });
      else change({ finalQuery: formatted });
    } catch (reason) {
      setNotice(
        isCodeMissing(reason)
          ? 'The service is not responding, so the text cannot be formatted now. Try again in a moment.'
          : `This text cannot be formatted: it does not read as ${wordsOf(engine).language}.`,
      );
    }
  };
  const download = useDownload<ExportFormat>(async (format, signal, onBytes) => {
    if (!saved) return;
    const wanted = { id: saved.id, format, parameters: setValues(values), name: saved.name };
    await downloadResult(wanted, signal, onBytes);
  });
  return (
    <div className={classes['page']}>
      <UnsavedGuard isDirty={save.isDirty} />
      {replace.question}
      {check.question}
      {take.question}
      <EditorHeader
        draft={draft}
        saved={saved}
        save={save}
        onName={(name) => change({ name })}
        onProject={(projectId) =>
          // An effect removes data sources that the new project does not have, after their list arrives.
          change({ projectId, folderId: null })
        }
        onSave={() => void saveNow()}
        onSaveAndSubscribe={() => void saveAndSubscribe()}
      />
      {/* The conflict below shows the same problem and its resolution. */}
      <ProblemNote error={isRefusal(save.error, 'changed-meanwhile') ? null : save.error} />
      {saved && <WaitingNoteLater record={saved} isShown={save.isWaitingShown} onWithdrawn={save.adopt} />}
      {newer && <ConflictLater newest={newer} draft={draft} save={save} onTake={setDraft} />}
      {notice !== null && (
        <p role="alert" className="notice">
          <Icon name="warning" /> {notice}
        </p>
      )}
      <div className={classes['frame']}>
        <Split id="editor" label="Height of the text" direction="rows" initial={50}>
          <div className={classes['top']}>
            <div className={classes['text']}>
              <StepTabs draft={draft} present={present} onPresent={setPresent} onChange={setDraft} />
              <EditorTools
                draft={draft}
                step={step}
                sources={sources.data?.items}
                onSource={(dataSourceId) => changeStep({ dataSourceId })}
                onName={(name) => changeStep({ name })}
                onSide={() => setSideOpen(true)}
                onCheck={() => showSide('checks')}
                onExplain={() => showSide('plan')}
                onFormat={() => void formatNow()}
                onRunAll={() => begin({ kind: 'all' })}
                onRun={runHere}
              />
              <div className={classes['editor']}>
                <SqlField
                  key={present}
                  handle={editor}
                  label={step ? wordsOf(engine).step : 'SQL of the final query'}
                  value={step?.sql ?? draft.finalQuery ?? ''}
                  engine={engine}
                  names={names}
                  problem={problem}
                  onChange={(sql) => (step ? changeStep({ sql }) : change({ finalQuery: sql }))}
                  onRun={runHere}
                  onSave={() => void saveNow()}
                  onFormat={() => void formatNow()}
                  onLeave={() => document.getElementById('editor-save')?.focus()}
                />
              </div>
            </div>
            <SidePanel
              isOpen={isSideOpen}
              onClose={() => setSideOpen(false)}
              dataSourceId={step?.dataSourceId ?? null}
              steps={step ? null : names.tables}
              parameters={usedParameters(draft)}
              values={values}
              view={side}
              onView={setSide}
              checks={
                <LazyPart code={checksPart} onMissing={showTables}>
                  {(Checks) => <Checks body={wholeBody} missing={missing} />}
                </LazyPart>
              }
              plan={
                <LazyPart code={planPart} onMissing={showTables}>
                  {(Plan) => <Plan body={wholeBody} missing={missing} />}
                </LazyPart>
              }
              runs={
                <LazyPart code={runsPart} onMissing={showTables}>
                  {(OwnRuns) => <OwnRuns projectId={draft.projectId} onTake={take.ask} />}
                </LazyPart>
              }
              onValue={(name, value) => setValuesState((before) => ({ ...before, [name]: value }))}
              onDeclare={(parameter) =>
                change({
                  parameters: [
                    ...draft.parameters.filter((other) => other.name !== parameter.name),
                    parameter,
                  ],
                })
              }
            />
          </div>
          <ResultsPanel
            state={run.state}
            onStop={run.stop}
            download={saved && !save.isDirty ? download : undefined}
            queryId={saved?.id}
            hint="Run the query to see its rows here. Ctrl Enter runs it, or the part that is selected."
          />
        </Split>
      </div>
    </div>
  );
}

/** Returns true if the shown text has the problem. A run of one step reports it as the first step. */
function isHere(step: number | 'final', target: RunTarget, draft: Draft, present: string): boolean {
  if (target.kind === 'step') return target.selection === null && target.key === present;
  return step === 'final' ? present === 'final' : draft.steps[step]?.key === present;
}
