import { type Static, Type } from 'typebox';

/** RFC 9457 problem, the body of every refusal. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description:
        'URI reference of the kind of problem. It leads to the entry of `code` at `/svc/help/errors`, unless it is `about:blank` or `/errors/…`.',
    }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.Optional(Type.String({ description: 'Description of the problem and the next step.' })),
    code: Type.Optional(
      Type.String({
        description: 'Stable code for programs. The examples of each response list the known codes.',
      }),
    ),
    traceId: Type.Optional(Type.String({ description: 'Id of this request in the logs.' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer into the body, or the name of the parameter.' }),
          message: Type.String(),
        }),
        { description: 'One entry for each refused member.' },
      ),
    ),
    remedy: Type.Optional(
      Type.String({
        description:
          'Text to copy that fixes the problem, e.g. the SQL of a role with fewer rights for a login with too many.',
      }),
    ),
  },
  { $id: 'Problem' },
);
export type Problem = Static<typeof Problem>;
