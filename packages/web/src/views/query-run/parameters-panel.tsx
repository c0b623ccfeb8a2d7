import { Select, TextInput } from '@mantine/core';
import { type ParameterType, parameterTypes, type QueryParameter } from '@svc/contract';
import type { RefObject } from 'react';
import { words } from '../../lib/format.ts';
import { coerce, type ParameterValue } from './parameter-values.ts';

type Props = {
  readonly parameters: readonly QueryParameter[];
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly onValue: (name: string, value: ParameterValue) => void;
  /** Undefined: only the values can be changed, not the declarations. */
  readonly onDeclare?: ((parameter: QueryParameter) => void) | undefined;
  /** Parameter whose value a run refused, and the ref that receives the field of its value. */
  readonly refused?: RefusedParameter | undefined;
};

export type RefusedParameter = {
  readonly name: string | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
};

const typeOptions = parameterTypes.map((type) => ({ value: type, label: words(type) }));

/** Parameters of the texts: their declarations, and their values in the next run. */
export function ParametersPanel({ parameters, values, onValue, onDeclare, refused }: Props) {
  if (parameters.length === 0) {
    return (
      <p className="soft">
        Write <code>{'{{name}}'}</code> in the text to ask for a value each time it runs.
      </p>
    );
  }
  return (
    <div className="stack">
      {parameters.map((parameter) => (
        <div key={parameter.name} className="stack-tight" style={{ gap: 4 }}>
          <TextInput
            ref={parameter.name === refused?.name ? refused.field : undefined}
            label={
              <>
                Value of <code>{parameter.name}</code>
              </>
            }
            aria-label={`Value of ${parameter.name}`}
            placeholder={placeholderOf(parameter)}
            value={values[parameter.name] === undefined ? '' : String(values[parameter.name] ?? '')}
            onChange={(event) => onValue(parameter.name, coerce(parameter.type, event.currentTarget.value))}
          />
          {onDeclare && (
            <div className="row">
              <Select
                label="Type"
                aria-label={`Type of ${parameter.name}`}
                data={typeOptions}
                value={parameter.type}
                onChange={(type) => onDeclare({ ...parameter, type: (type ?? 'String') as ParameterType })}
              />
              <TextInput
                label="Default"
                aria-label={`Default of ${parameter.name}`}
                placeholder="None"
                value={
                  parameter.defaultValue === undefined || parameter.defaultValue === null
                    ? ''
                    : String(parameter.defaultValue)
                }
                onChange={(event) => {
                  const { defaultValue: _gone, ...rest } = parameter;
                  const text = event.currentTarget.value;
                  onDeclare(
                    text === '' ? rest : { ...rest, defaultValue: coerce(parameter.type, text) ?? null },
                  );
                }}
              />
            </div>
          )}
        </div>
      ))}
    </div>
  );
}

function placeholderOf(parameter: QueryParameter): string {
  if (parameter.defaultValue !== undefined && parameter.defaultValue !== null)
    return `${parameter.defaultValue} (default)`;
  if (parameter.type === 'Date') return '2026-01-31';
  if (parameter.type === 'DateTime') return '2026-01-31T08:00:00Z';
  if (parameter.type === 'Boolean') return 'true or false';
  return words(parameter.type);
}
