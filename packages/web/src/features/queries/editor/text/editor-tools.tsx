import { Button, Select, TextInput } from '@mantine/core';
import type { ProjectDataSource } from '@svc/contract';
import { paths } from '../../../../lib/paths.ts';
import { Link } from '../../../../ui/frame/link.tsx';
import { Icon } from '../../../../ui/text/icons.tsx';
import type { Draft, DraftStep } from '../../../../views/query-run/draft.ts';
import classes from '../query-editor.module.css';

type Props = {
  readonly draft: Draft;
  /** Shown step; undefined for the final query. */
  readonly step: DraftStep | undefined;
  readonly sources: readonly ProjectDataSource[] | undefined;
  /** Changes the shown step. */
  readonly onChange: (part: Partial<Pick<DraftStep, 'name' | 'dataSourceId'>>) => void;
  /** Opens the side panel in a window that is too narrow to always show it. */
  readonly onSide: () => void;
  readonly onCheck: () => void;
  readonly onExplain: () => void;
  readonly onFormat: () => void;
  readonly onRunAll: () => void;
  readonly onRun: () => void;
};

/** Toolbar above the text: data source, name of the step, and actions. */
export function EditorTools(props: Props) {
  const { draft, step, sources, onChange, onSide, onCheck, onExplain, onFormat, onRunAll, onRun } = props;
  const hasParts = draft.steps.length > 1 || draft.finalQuery !== null;
  return (
    <div className={classes['tools']}>
      {step ? (
        <Select
          aria-label="Data source"
          placeholder={draft.projectId === null ? 'Choose a project first' : 'Data source'}
          disabled={draft.projectId === null}
          data={(sources ?? []).map((source) => ({ value: String(source.id), label: source.name }))}
          value={step.dataSourceId === null ? null : String(step.dataSourceId)}
          onChange={(value) => onChange({ dataSourceId: value === null ? null : Number(value) })}
          leftSection={<Icon name="source" size={14} />}
          w={220}
        />
      ) : (
        <span className="soft">Runs over the results of the steps: step1, step2, and their names.</span>
      )}
      {step && hasParts && (
        <TextInput
          aria-label="Name of this step"
          placeholder="Name of this step"
          value={step.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          spellCheck={false}
          w={160}
        />
      )}
      {step && draft.projectId !== null && sources?.length === 0 && (
        <span className="soft">
          None is linked. <Link to={paths.project(draft.projectId, { tab: 'sources' })}>Link one</Link>
        </span>
      )}
      <span className="grow" />
      <Button className={classes['sideToggle']} leftSection={<Icon name="table" />} onClick={onSide}>
        Tables, parameters, plan
      </Button>
      <Button leftSection={<Icon name="check" />} onClick={onCheck}>
        Check
      </Button>
      <Button leftSection={<Icon name="columns" />} onClick={onExplain}>
        Explain
      </Button>
      <Button leftSection={<Icon name="format" />} onClick={onFormat}>
        Format
      </Button>
      {hasParts && (
        <Button leftSection={<Icon name="run" />} onClick={onRunAll}>
          Run all
        </Button>
      )}
      <Button variant="filled" leftSection={<Icon name="run" />} onClick={onRun}>
        Run query
      </Button>
    </div>
  );
}
