import { Checkbox, Input } from '@mantine/core';
import type { Form } from '../../lib/form.ts';
import type { FormValues } from './settings-values.ts';

type Props = {
  readonly form: Form<FormValues>;
  readonly tools: readonly { readonly name: string; readonly title: string }[];
  /** False for the settings of all projects. */
  readonly isOfProject: boolean;
  readonly canChange: boolean;
};

/** Tools that AI clients can call. A project without its own choice has that of all projects. */
export function ToolSettings({ form, tools, isOfProject, canChange }: Props) {
  const { hasOwnTools, disabledTools } = form.values;
  const setOn = (name: string, isOn: boolean) =>
    form.set(
      'disabledTools',
      isOn ? disabledTools.filter((other) => other !== name) : [...disabledTools, name].sort(),
    );
  return (
    <section className="stack-tight">
      <h2>Tools</h2>
      {isOfProject && (
        <Checkbox
          label="This project has its own choice of tools"
          checked={hasOwnTools}
          disabled={!canChange}
          onChange={(event) => form.set('hasOwnTools', event.currentTarget.checked)}
        />
      )}
      <Input.Wrapper label="Tools that are on" labelElement="div">
        <div className="stack-tight">
          {tools.map(({ name, title }) => (
            <Checkbox
              key={name}
              label={title}
              description={name}
              checked={!disabledTools.includes(name)}
              disabled={!canChange || (isOfProject && !hasOwnTools)}
              onChange={(event) => setOn(name, event.currentTarget.checked)}
            />
          ))}
        </div>
      </Input.Wrapper>
    </section>
  );
}
