import { isProblemCode, type ProblemCodeOf, problemEntry, problemType } from '@svc/contract';
import { HttpProblem, type MemberError } from './http-problem.ts';

/**
 * A rule of the business that a request breaks though its shape is right. The host's error mapping decides how it is
 * answered; without one it is a 400 problem like any other. A host may throw it too, from what it hands in, with a code
 * of its own: that is answered with the type `about:blank`.
 */
export class BusinessRuleError extends HttpProblem {
  override readonly name: string = 'BusinessRuleError';
  /** True for a rule of the domain; false for an operation that is not possible in the present state. */
  readonly isDomainRule: boolean;

  /**
   * @param message  tells a person what happened and what to do next; sent to the caller, so it holds no secret.
   * @param options.code    stable, for programs. Default `broken-rule`.
   * @param options.errors  the members of the input that are to blame.
   */
  constructor(
    message: string,
    options: { isDomainRule?: boolean; code?: string; errors?: readonly MemberError[] } = {},
  ) {
    const code = options.code ?? ('broken-rule' satisfies ProblemCodeOf<400>);
    super(400, {
      code,
      detail: message,
      ...(isProblemCode(code) && { type: problemType(code), title: problemEntry(code).title }),
      ...(options.errors && { errors: options.errors }),
    });
    this.isDomainRule = options.isDomainRule ?? true;
  }
}

/** 400: the input is well formed, but a rule of the domain does not let it be. */
export const brokenRule = (
  code: ProblemCodeOf<400>,
  detail: string,
  errors?: readonly MemberError[],
): BusinessRuleError => new BusinessRuleError(detail, { code, ...(errors && { errors }) });

/** 400: the operation is not possible in the state that things are in. */
export const notPossible = (
  code: ProblemCodeOf<400>,
  detail: string,
  errors?: readonly MemberError[],
): BusinessRuleError =>
  new BusinessRuleError(detail, { code, isDomainRule: false, ...(errors && { errors }) });
