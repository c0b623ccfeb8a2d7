import { crc32 } from 'node:zlib';

/** Protocols of language model providers. */
export type LlmProtocol = 'ChatCompletions' | 'Responses' | 'Messages' | 'Converse';

/** Answer of a provider. */
export type Said = {
  readonly text: string;
  /** Reason for the end: complete, out of tokens, stopped by a filter. */
  readonly end: 'whole' | 'length' | 'filter';
  readonly usage: boolean;
  /** True if the caller forced a tool call. The answer is then the input of the tool. */
  readonly asTool: boolean;
};

const event = (data: object, name?: string) =>
  Buffer.from(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);

const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)] as const;

function chatCompletions({ text, end, usage }: Said): Buffer[] {
  const chunk = (choices: object[], more: object = {}) =>
    event({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more });
  const delta = (content: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta: content, finish_reason }]);
  const reason = { whole: 'stop', length: 'length', filter: 'content_filter' }[end];
  return [
    delta({ role: 'assistant', content: '' }),
    ...halves(text).map((content) => delta({ content })),
    delta({}, reason),
    ...(usage ? [chunk([], { usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } })] : []),
    Buffer.from('data: [DONE]\n\n'),
  ];
}

function responses({ text, end, usage }: Said): Buffer[] {
  const item = { type: 'message', id: 'm1', role: 'assistant', status: 'in_progress', content: [] };
  const counted = usage ? { usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 } } : {};
  const typed = (type: string, data: object) => event({ type, ...data }, type);
  const reason = { length: 'max_output_tokens', filter: 'content_filter', whole: null }[end];
  const type = end === 'whole' ? 'response.completed' : 'response.incomplete';
  const incomplete_details = reason === null ? null : { reason };
  return [
    typed('response.created', { response: { id: 'r1', created_at: 1, model: 'm' } }),
    typed('response.output_item.added', { output_index: 0, item }),
    ...halves(text).map((delta) =>
      typed('response.output_text.delta', { item_id: 'm1', output_index: 0, content_index: 0, delta }),
    ),
    typed('response.output_item.done', { output_index: 0, item: { ...item, status: 'completed' } }),
    typed(type, { response: { id: 'r1', created_at: 1, model: 'm', incomplete_details, ...counted } }),
  ];
}

function messages({ text, end, usage, asTool }: Said): Buffer[] {
  const typed = (type: string, data: object) => event({ type, ...data }, type);
  const input = usage ? 11 : 0;
  const block = asTool ? { type: 'tool_use', id: 't1', name: 'json', input: {} } : { type: 'text', text: '' };
  const delta = (part: string) =>
    asTool ? { type: 'input_json_delta', partial_json: part } : { type: 'text_delta', text: part };
  const reason = { whole: asTool ? 'tool_use' : 'end_turn', length: 'max_tokens', filter: 'refusal' }[end];
  return [
    typed('message_start', {
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: input, output_tokens: 0 },
      },
    }),
    typed('content_block_start', { index: 0, content_block: block }),
    ...halves(text).map((part) => typed('content_block_delta', { index: 0, delta: delta(part) })),
    typed('content_block_stop', { index: 0 }),
    typed('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: usage ? 7 : 0 },
    }),
    typed('message_stop', {}),
  ];
}

/** Encodes a message of AWS's binary event stream: lengths and checksums around headers and JSON. */
function frame(type: string, payload: object, kind: 'event' | 'exception' = 'event'): Buffer {
  const header = (name: string, value: string) =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 0xff]),
      Buffer.from(value),
    ]);
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const before = Buffer.concat([prelude, headers, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(before), 0);
  return Buffer.concat([before, checksum]);
}

function converse({ text, end, usage, asTool }: Said): Buffer[] {
  const delta = (part: string) => (asTool ? { toolUse: { input: part } } : { text: part });
  const stopReason = {
    whole: asTool ? 'tool_use' : 'end_turn',
    length: 'max_tokens',
    filter: 'guardrail_intervened',
  }[end];
  const counted = { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 5 } };
  return [
    frame('messageStart', { role: 'assistant' }),
    ...(asTool
      ? [
          frame('contentBlockStart', {
            contentBlockIndex: 0,
            start: { toolUse: { toolUseId: 't1', name: 'json' } },
          }),
        ]
      : []),
    ...halves(text).map((part) => frame('contentBlockDelta', { contentBlockIndex: 0, delta: delta(part) })),
    frame('contentBlockStop', { contentBlockIndex: 0 }),
    frame('messageStop', { stopReason }),
    ...(usage ? [frame('metadata', counted)] : []),
  ];
}

/** Returns the bytes of an answer, one buffer per event. */
export function streamOf(protocol: LlmProtocol, said: Said): Buffer[] {
  switch (protocol) {
    case 'ChatCompletions':
      return chatCompletions(said);
    case 'Responses':
      return responses(said);
    case 'Messages':
      return messages(said);
    case 'Converse':
      return converse(said);
  }
}

/** Returns the event that reports a failure inside a stream. */
export function failureOf(protocol: LlmProtocol, message: string): Buffer {
  switch (protocol) {
    case 'ChatCompletions':
      return event({ error: { message, type: 'server_error', param: null, code: null } });
    case 'Responses':
      return event(
        { type: 'error', code: 'server_error', message, param: null, sequence_number: 1 },
        'error',
      );
    case 'Messages':
      return event({ type: 'error', error: { type: 'overloaded_error', message } }, 'error');
    case 'Converse':
      return frame('internalServerException', { message }, 'exception');
  }
}

export const contentTypeOf = (protocol: LlmProtocol): string =>
  protocol === 'Converse' ? 'application/vnd.amazon.eventstream' : 'text/event-stream';
