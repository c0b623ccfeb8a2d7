import { type Static, Type } from 'typebox';

/** RFC 9457 problem, the body of every refusal. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description:
        'A URI reference that names the kind of problem and leads to its explanation: the entry of `code` at `/svc/help/errors`, unless it says `about:blank` or `/errors/…`.',
    }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.Optional(Type.String({ description: 'What happened and what to do next.' })),
    code: Type.Optional(
      Type.String({
        description: 'A stable word for programs; the examples of each answer list those that are known.',
      }),
    ),
    traceId: Type.Optional(Type.String({ description: 'Names this request in the logs.' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'JSON pointer into the body, or the name of the parameter.' }),
          message: Type.String(),
        }),
        { description: 'One entry per member that was refused.' },
      ),
    ),
    remedy: Type.Optional(
      Type.String({
        description:
          'Text to copy that mends what was refused, e.g. the SQL of a role where a login may do too much.',
      }),
    ),
  },
  { $id: 'Problem' },
);
export type Problem = Static<typeof Problem>;
