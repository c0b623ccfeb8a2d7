import { Ajv, type ErrorObject } from 'ajv';
import addFormatsModule from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import type { MemberError } from '../refusals/http-problem.ts';
import { unknownMemberMessage } from '../refusals/unknown-member.ts';
import { createCompiledSchemas } from './compiled-schemas.ts';

const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

/** No member is dropped. One refusal names a bounded number of members, as in `toProblem`. */
const common = {
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  allowUnionTypes: true,
  strict: false,
  // Errors then include the schema of the object, which lists its members.
  verbose: true,
} as const;

/**
 * Several times the number of schemas in one service. Only a process with several services and their own schemas
 * reaches it.
 */
const entriesMax = 2_000;

const formats = new Ajv(common);
addFormats(formats);
const isRfc3339 = formats.compile({ type: 'string', format: 'date-time' });
// RFC 3339 allows leap seconds, a `Date` does not.
const isTime = (text: string): boolean => isRfc3339(text) && !Number.isNaN(Date.parse(text));

/** Creates a cache of validators. A validator stores its errors on itself; they are read before the next call. */
function compiledValidators(coerceTypes: false | 'array') {
  // JSON allows 1e999, which parses as Infinity. `strictNumbers` refuses it. With coercion, `strictNumbers` would
  // skip the bounds of infinite numbers; there the bounds themselves refuse them.
  const ajv = new Ajv({ ...common, coerceTypes, strictNumbers: coerceTypes === false });
  addFormats(ajv);
  ajv.addFormat('date-time', isTime);
  return createCompiledSchemas({
    compile: (schema) => ajv.compile(schema),
    entriesMax,
    onEvicted: (schema) => ajv.removeSchema(schema),
  });
}

// Bodies are exact: no "1" for 1. Paths and query strings are text and need conversion to numbers.
const exact = compiledValidators(false);
const coercing = compiledValidators('array');
const serializers = createCompiledSchemas({ compile: (schema) => fastJsonStringify(schema), entriesMax });

/**
 * Creates validators of request parts: exact for bodies, with coercion for everything else. The first request of a
 * route compiles its schemas, because compiling all schemas takes a fifth of the processor time of a start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = onFirstUse(() => (httpPart === 'body' ? exact : coercing).of(schema));
  // Fastify reads the errors from the function that it calls.
  const validator = (value: unknown): boolean => {
    const validate = compiled();
    const isValid = validate(value);
    validator.errors = validate.errors ?? null;
    return isValid;
  };
  validator.errors = null as ErrorObject[] | null;
  return validator;
};

/** Creates serialisers of responses. The first response compiles them. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  const compiled = onFirstUse(() => serializers.of(schema));
  return (value) => compiled()(value);
};

function onFirstUse<F>(make: () => F): () => F {
  let cached: F | undefined;
  return () => (cached ??= make());
}

/** Returns the number of schemas that this process compiled, for validators and serialisers together. */
export const compiledSchemaCount = (): number =>
  exact.compiledCount() + coercing.compiledCount() + serializers.compiledCount();

/** Creates a validator of a body inside another message. It returns the invalid member and the fault, or undefined. */
export function bodyValidator(schema: object): (value: unknown) => string | undefined {
  const faultOf = memberValidator(schema);
  return (value) => {
    const fault = faultOf(value);
    return fault && `${fault.path.replace(/^\//, '') || 'it'} ${fault.message}`;
  };
}

/** Creates the same validator with the member as a JSON pointer. The pointer of the full body is empty. */
export function memberValidator(schema: object): (value: unknown) => MemberError | undefined {
  const compiled = onFirstUse(() => exact.of(schema));
  return (value) => {
    const validate = compiled();
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    const missing = first?.params['missingProperty'] ?? first?.params['additionalProperty'];
    const path = [first?.instancePath, missing].filter(Boolean).join('/');
    const member = path === '' || path.startsWith('/') ? path : `/${path}`;
    if (first?.keyword === 'required') return { path: member, message: 'is required' };
    if (first?.keyword === 'additionalProperties')
      return { path: member, message: unknownMemberMessage(first.parentSchema) };
    return { path: member, message: first?.message ?? 'is not valid' };
  };
}

/** Returns the schema with every object closed: it refuses members that it does not name. */
export function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  ) as Record<string, unknown>;
  if (copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false;
  return copy as T;
}
