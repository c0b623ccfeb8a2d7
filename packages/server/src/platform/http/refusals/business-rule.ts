import { isProblemCode, type ProblemCodeOf, problemEntry, problemType } from '@svc/contract';
import { HttpProblem, type MemberError } from './http-problem.ts';

/**
 * Violation of a business rule by a well-formed request. The host's error mapping decides the response; the default
 * is a 400 problem. A host may also throw it from its own functions, with its own code: the type is then
 * `about:blank`.
 */
export class BusinessRuleError extends HttpProblem {
  override readonly name: string = 'BusinessRuleError';
  /** True for a rule of the domain; false for an operation that is not possible in the present state. */
  readonly isDomainRule: boolean;

  /**
   * @param message States what happened and what to do next. It is sent to the caller, so it contains no secret.
   * @param options.code Stable, for programs. Default `broken-rule`.
   * @param options.errors Members of the input that caused the violation.
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

/** Returns a 400: the input is well formed but violates a rule of the domain. */
export const brokenRule = (
  code: ProblemCodeOf<400>,
  detail: string,
  errors?: readonly MemberError[],
): BusinessRuleError => new BusinessRuleError(detail, { code, ...(errors && { errors }) });

/** Returns a 400: the operation is not possible in the present state. */
export const notPossible = (
  code: ProblemCodeOf<400>,
  detail: string,
  errors?: readonly MemberError[],
): BusinessRuleError =>
  new BusinessRuleError(detail, { code, isDomainRule: false, ...(errors && { errors }) });
