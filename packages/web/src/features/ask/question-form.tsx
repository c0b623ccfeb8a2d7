import { Button, Select, Textarea } from '@mantine/core';
import { askQuestion, createConversation, questionLengthMax } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../lib/server-state.ts';
import { linkedSources } from '../../requests/projects.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Icon } from '../../ui/text/icons.tsx';

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
  const [question, setQuestion] = useState('');
  const [picked, setPicked] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const begin = useChange(createConversation);
  const ask = useChange(askQuestion);
  const { data } = useQuery(linkedSources(projectId, { pageSize: '200', sort: 'name' }));
  const sources = data?.items ?? [];
  const usual = sources.find(({ id }) => id === lastSourceId) ?? sources[0];
  const source = picked ?? (usual ? String(usual.id) : null);
  const text = question.trim();
  const submit = async (event?: React.FormEvent) => {
    event?.preventDefault();
    if (text === '' || isAsking) return;
    setAsking(true);
    setRefusal(null);
    try {
      const id = conversationId ?? (await begin.mutateAsync({ body: { projectId } })).id;
      const body = { question: text, ...(source !== null && { dataSourceId: Number(source) }) };
      await ask.mutateAsync({ params: { id }, body });
      setQuestion('');
      if (conversationId === null) onBegun(id);
    } catch (error) {
      setRefusal(error);
    } finally {
      setAsking(false);
    }
  };
  if (data && sources.length === 0)
    return <p>The project has no data source yet. Link one to it, then ask.</p>;
  return (
    <form className="stack-tight" onSubmit={(event) => void submit(event)} noValidate>
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
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            void submit();
          }
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
            onChange={setPicked}
          />
        )}
        <Button
          type="submit"
          variant="filled"
          loading={isAsking}
          disabled={text === ''}
          leftSection={<Icon name="send" />}
        >
          Ask
        </Button>
      </div>
      <ProblemNote error={refusal} />
    </form>
  );
}
