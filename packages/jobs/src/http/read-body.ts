import type { IncomingMessage } from 'node:http';
import { EndpointRefusal } from './declare-endpoint.ts';

/** Maximum body size in bytes. Larger bodies are refused with 413. */
const bodyBytesMax = 1_048_576;

const jsonTypePattern = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) throw new EndpointRefusal(413, `A body has at most ${bodyBytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns a body that a parser of the host has already read. */
function parsedByHost(request: IncomingMessage): unknown {
  return 'body' in request ? request.body : undefined;
}

/**
 * Reads a JSON body.
 *
 * @param onText receives the body's text.
 * @throws EndpointRefusal 400 on malformed JSON, 413 on a body that is too large, 415 on another type.
 */
export async function readJsonBody(
  request: IncomingMessage,
  onText: (text: string) => void,
): Promise<unknown> {
  const parsedBody = parsedByHost(request);
  if (parsedBody !== undefined) {
    onText(JSON.stringify(parsedBody) ?? '');
    return parsedBody;
  }
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  onText(text);
  if (!jsonTypePattern.test(request.headers['content-type'] ?? '')) {
    throw new EndpointRefusal(415, 'The body must be JSON, with the content type application/json.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EndpointRefusal(400, 'The body is not well-formed JSON.', { cause: error });
  }
}
