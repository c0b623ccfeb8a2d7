import { Button, Select, Textarea } from '@mantine/core';
import { questionLengthMax } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { linkedSources } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { useQuestion } from './use-question.ts';

type Props = {
  readonly projectId: number;
  readonly conversationId: number | null;
  readonly isFirst: boolean;
  /** Data source of the previous question. */
  readonly lastSourceId: number | null;
  readonly onBegun: (id: number) => void;
};

/** Form for a question. It offers a choice of data source if the project has several. */
export function QuestionForm({ projectId, conversationId, isFirst, lastSourceId, onBegun }: Props) {
  const { question, setQuestion, isAsking, refusal, submit } = useQuestion(
    projectId,
    conversationId,
    onBegun,
  );
  const [selected, setSelected] = useState<string | null>(null);
  const { data } = useQuery(linkedSources(projectId, { pageSize: '200', sort: 'name' }));
  const sources = data?.items ?? [];
  const proposed = sources.find(({ id }) => id === lastSourceId) ?? sources[0];
  const source = selected ?? (proposed ? String(proposed.id) : null);
  const ask = (event: SyntheticEvent) => {
    event.preventDefault();
    void submit(source === null ? null : Number(source));
  };
  if (data && sources.length === 0)
    return <p>The project has no data source yet. Link one to it, then ask.</p>;
  return (
    <form className="stack-tight" onSubmit={ask} noValidate>
      <Textarea
        label={isFirst ? 'Your question' : 'Your next question'}
        placeholder="How many orders are late?"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={questionLengthMax}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) ask(event);
        }}
      />
      <div className="row wrap" style={{ gap: 12, alignItems: 'flex-end' }}>
        {sources.length > 1 && (
          <Select
            label="Data source"
            w={240}
            allowDeselect={false}
            data={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={source}
            onChange={setSelected}
          />
        )}
        <Button
          type="submit"
          variant="filled"
          loading={isAsking}
          disabled={question.trim() === ''}
          leftSection={<Icon name="send" />}
        >
          Ask
        </Button>
      </div>
      <ProblemNote error={refusal} />
    </form>
  );
}
