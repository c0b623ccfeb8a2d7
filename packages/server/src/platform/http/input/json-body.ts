import { plural } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { badRequest, Refusal } from '../refusals/refusal.ts';

const depthMax = 64;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);
const quote = 0x22;
const backslash = 0x5c;

/** Returns the deepest nesting of a JSON text without parsing it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === backslash) index += 1;
      else if (code === quote) isInText = false;
    } else if (code === quote) isInText = true;
    else if (openers.has(code)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (closers.has(code)) depth -= 1;
  }
  return deepest;
}

/** Refuses a member that would reach a prototype, instead of dropping it. */
function refusePrototypes(name: string, value: unknown): unknown {
  if (name === '__proto__')
    throw badRequest('forbidden-member', 'The body holds a member named "__proto__".');
  return value;
}

const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * Refuses other encodings. JSON is UTF-8 (RFC 8259): a body in another encoding would be decoded to a different
 * text.
 */
function refuseOtherEncoding({ headers }: FastifyRequest): void {
  const [, encoding = 'utf-8'] = charset.exec(headers['content-type'] ?? '') ?? [];
  if (!/^utf-?8$/i.test(encoding))
    throw new Refusal('json-required', {
      detail: `Send the body in UTF-8: JSON in "${encoding}" is not read here.`,
    });
}

/** Parses JSON bodies: UTF-8, strict, at most 64 levels deep, no prototype members. An empty body is no body. */
export function jsonParser(
  request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  try {
    refuseOtherEncoding(request);
    done(null, parseJson(String(body)));
  } catch (error) {
    done(
      error instanceof SyntaxError
        ? badRequest('invalid-json', 'The body is not valid JSON.')
        : (error as Error),
    );
  }
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  if (depthOf(text) > depthMax) {
    throw badRequest('too-deep', `The body is nested more than ${plural(depthMax, 'level')} deep.`);
  }
  return text.includes('__proto__') ? JSON.parse(text, refusePrototypes) : JSON.parse(text);
}
