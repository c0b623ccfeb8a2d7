import { askQuestion, createConversation } from '@svc/contract';
import { useState } from 'react';
import { useChange } from '../../lib/server-state.ts';

/** Text of a question, and the request that asks it. The first question of a conversation creates it. */
export function useQuestion(
  projectId: number,
  conversationId: number | null,
  onBegun: (conversationId: number) => void,
) {
  const [question, setQuestion] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const begin = useChange(createConversation);
  const ask = useChange(askQuestion);
  const submit = async (dataSourceId: number | null) => {
    const text = question.trim();
    if (text === '' || isAsking) return;
    setAsking(true);
    setRefusal(null);
    try {
      const id = conversationId ?? (await begin.mutateAsync({ body: { projectId } })).id;
      const body = { question: text, ...(dataSourceId !== null && { dataSourceId }) };
      await ask.mutateAsync({ params: { id }, body });
      setQuestion('');
      if (conversationId === null) onBegun(id);
    } catch (error) {
      setRefusal(error);
    } finally {
      setAsking(false);
    }
  };
  return { question, setQuestion, isAsking, refusal, submit };
}
