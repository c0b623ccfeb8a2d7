import { Checkbox, Input, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { count } from '../../../lib/format.ts';
import { endpointsOf, pathsOf } from './endpoints.ts';

type Props = {
  readonly label: string;
  readonly description?: string;
  readonly error: string | undefined;
  /** Text of the OpenAPI document. Empty without a document. */
  readonly document: string;
  readonly value: unknown;
  readonly onChange: (endpoints: readonly string[]) => void;
};

const searchFrom = 10;

/** Endpoints that may be read: checkboxes from the API's document, or typed paths without a document. */
export function EndpointsField({ label, description, error, document, value, onChange }: Props) {
  const ticked = Array.isArray(value) ? (value as readonly string[]) : [];
  const endpoints = useMemo(() => endpointsOf(document), [document]);
  const [text, setText] = useState(ticked.join('\n'));
  const [search, setSearch] = useState('');
  if (!endpoints) {
    return (
      <Textarea
        {...{ label, error }}
        description={`${description ?? ''} One a line; with an OpenAPI document they are ticked instead.`}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--font-mono)' } }}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onChange(pathsOf(event.currentTarget.value));
        }}
      />
    );
  }
  // Endpoints that were selected before the document changed remain visible, so that the user can remove them.
  const gone = ticked.filter((path) => !endpoints.some((endpoint) => endpoint.path === path));
  const all = [...gone.map((path) => ({ path, summary: 'Not in the document' })), ...endpoints];
  const searchText = search.trim().toLowerCase();
  const shown = all.filter(({ path, summary }) =>
    `${path} ${summary ?? ''}`.toLowerCase().includes(searchText),
  );
  const toggle = (path: string, isOn: boolean) => {
    const next = isOn ? [...ticked, path] : ticked.filter((other) => other !== path);
    setText(next.join('\n'));
    onChange(next);
  };
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <fieldset
        aria-label={label}
        className="stack-tight"
        style={{ border: 0, padding: 0, margin: '4px 0 0', minWidth: 0 }}
      >
        {all.length >= searchFrom && (
          <TextInput
            aria-label="Find endpoints"
            placeholder="Find endpoints"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <div className="panel stack-tight" style={{ padding: 12, maxHeight: 280, overflow: 'auto' }}>
          {shown.map(({ path, summary }) => (
            <Checkbox
              key={path}
              label={path}
              description={summary}
              checked={ticked.includes(path)}
              error={error !== undefined && ticked.length === 0}
              onChange={(event) => toggle(path, event.currentTarget.checked)}
              styles={{ label: { fontFamily: 'var(--font-mono)', overflowWrap: 'anywhere' } }}
            />
          ))}
          {shown.length === 0 && <p className="soft">No endpoint that can be read by GET fits.</p>}
        </div>
        <p className="soft">{`${count(ticked.length)} of ${count(all.length)} ticked`}</p>
      </fieldset>
    </Input.Wrapper>
  );
}
