import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from '../../../../ui/text/icons.tsx';
import { type Draft, newStep } from '../../../../views/query-run/draft.ts';
import { type DraftDispatch, finalKey } from '../draft/draft-state.ts';
import classes from './step-tabs.module.css';

type Props = {
  readonly draft: Draft;
  /** Key of the shown step, or `finalKey`. */
  readonly shownKey: string;
  readonly dispatch: DraftDispatch;
};

/** Tabs of the steps and the final query. A query of one step shows only the button that adds a step. */
export function StepTabs({ draft, shownKey, dispatch }: Props) {
  const isSimple = draft.steps.length === 1 && draft.finalQuery === null;
  const show = (key: string) => dispatch({ kind: 'show', key });
  if (isSimple) {
    return (
      <div className={classes['bar']}>
        <button type="button" data-act className={classes['add']} onClick={() => addStep(dispatch)}>
          <Icon name="plus" size={12} /> Join with another data source
        </button>
      </div>
    );
  }
  return (
    <div className={classes['bar']}>
      <fieldset className={classes['tabs']} aria-label="Steps">
        {draft.steps.map((step, index) => (
          <button
            key={step.key}
            type="button"
            aria-pressed={step.key === shownKey}
            onClick={() => show(step.key)}
          >
            {step.name === '' ? `step${index + 1}` : step.name}
          </button>
        ))}
        {draft.finalQuery !== null && (
          <button type="button" aria-pressed={shownKey === finalKey} onClick={() => show(finalKey)}>
            Final query
          </button>
        )}
      </fieldset>
      <StepMenu draft={draft} shownKey={shownKey} dispatch={dispatch} />
    </div>
  );
}

const addStep = (dispatch: DraftDispatch) => dispatch({ kind: 'add-step', step: newStep(null) });

/** Menu that adds a step or the final query, and removes the shown one. */
function StepMenu({ draft, shownKey, dispatch }: Props) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon aria-label="Add or remove steps" size={26}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="plus" />} onClick={() => addStep(dispatch)}>
          Add a step
        </Menu.Item>
        {draft.finalQuery === null && (
          <Menu.Item leftSection={<Icon name="plus" />} onClick={() => dispatch({ kind: 'add-final-query' })}>
            Add a final query
          </Menu.Item>
        )}
        {(draft.steps.length > 1 || shownKey === finalKey) && (
          <Menu.Item
            color="red"
            leftSection={<Icon name="trash" />}
            onClick={() => dispatch({ kind: 'remove-shown' })}
          >
            Remove this one
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
