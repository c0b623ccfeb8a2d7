import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from '../../../../ui/text/icons.tsx';
import { type Draft, newStep } from '../../../../views/query-run/draft.ts';
import classes from './step-tabs.module.css';

type Props = {
  readonly draft: Draft;
  /** Key of the shown step, or 'final'. */
  readonly present: string;
  readonly onPresent: (key: string) => void;
  readonly onChange: (draft: Draft) => void;
};

/** Tabs of the steps and the final query. A query of one step shows only the button that adds a step. */
export function StepTabs({ draft, present, onPresent, onChange }: Props) {
  const isSimple = draft.steps.length === 1 && draft.finalQuery === null;
  const addStep = () => {
    const step = newStep(null);
    onChange({
      ...draft,
      steps: [...draft.steps, step],
      finalQuery: draft.finalQuery ?? 'select * from step1',
    });
    onPresent(step.key);
  };
  const remove = () => {
    if (present === 'final') onChange({ ...draft, finalQuery: null });
    else onChange({ ...draft, steps: draft.steps.filter((step) => step.key !== present) });
    onPresent(draft.steps.find((step) => step.key !== present)?.key ?? 'final');
  };
  if (isSimple) {
    return (
      <div className={classes['bar']}>
        <button type="button" data-act className={classes['add']} onClick={addStep}>
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
            aria-pressed={step.key === present}
            onClick={() => onPresent(step.key)}
          >
            {step.name === '' ? `step${index + 1}` : step.name}
          </button>
        ))}
        {draft.finalQuery !== null && (
          <button type="button" aria-pressed={present === 'final'} onClick={() => onPresent('final')}>
            Final query
          </button>
        )}
      </fieldset>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon aria-label="Add or remove steps" size={26}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="plus" />} onClick={addStep}>
            Add a step
          </Menu.Item>
          {draft.finalQuery === null && (
            <Menu.Item
              leftSection={<Icon name="plus" />}
              onClick={() => {
                onChange({ ...draft, finalQuery: 'select * from step1' });
                onPresent('final');
              }}
            >
              Add a final query
            </Menu.Item>
          )}
          {(draft.steps.length > 1 || present === 'final') && (
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={remove}>
              Remove this one
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
