/** `clarify`: a question to the user, with choices or open. */
import { boolean, list, object, optional, parameters, string } from './parameters.ts';
import { defineTool, failure, jsonOutcome, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

interface Asked {
  readonly id?: string | undefined;
  readonly question: string;
  readonly choices: readonly string[];
  readonly several: boolean;
}

const MAX_CHOICES = 4;
const MAX_QUESTIONS = 5;
const RECOMMENDED = ' (Recommended)';
const NO_ANSWER =
  'The user did not answer in time. Go on with your own judgement: take the most sensible choice and say which you took.';

export function clarifyTool(): Tool {
  return defineTool({
    name: 'clarify',
    toolset: 'clarify',
    description:
      'Ask the user when you cannot go on well without an answer. Up to 4 choices, best first; free text is always possible.',
    parameters: parameters({
      question: optional(string()),
      choices: optional(list(string())),
      multi_select: optional(boolean()),
      questions: optional(
        list(
          object({
            id: optional(string()),
            question: string(),
            choices: optional(list(string())),
            multi_select: optional(boolean()),
          }),
          'several at once, up to 5',
        ),
      ),
    }),
    rewrite: (raw) => ({
      ...raw,
      ...(Array.isArray(raw.choices) && { choices: raw.choices.map(choiceText) }),
      ...(Array.isArray(raw.questions) && { questions: raw.questions.map(questionWithTexts) }),
    }),
    plan(args, ctx) {
      const many = args.questions?.map((one) => asked(one)) ?? [];
      const single = args.question === undefined ? [] : [asked({ ...args, question: args.question })];
      const first = single[0] ?? many[0];
      return {
        summary: `ask: ${first?.question ?? 'nothing'}`,
        concurrency: 'barrier',
        run: () => run(ctx, many.length > 0 ? [...single, ...many] : single, many.length > 0),
      };
    },
  });
}

function asked(given: {
  readonly id?: string | undefined;
  readonly question: string;
  readonly choices?: readonly string[] | undefined;
  readonly multi_select?: boolean | undefined;
}): Asked {
  const choices = [...new Set((given.choices ?? []).map((choice) => choice.trim()).filter(Boolean))];
  const several = given.multi_select ?? false;
  return { id: given.id, question: given.question.trim(), choices: choices.slice(0, MAX_CHOICES), several };
}

async function run(ctx: ToolContext, questions: readonly Asked[], asList: boolean): Promise<ToolOutcome> {
  if (questions.length === 0 || questions.some(({ question }) => question === '')) {
    return failure('invalid-arguments', 'clarify needs a question.');
  }
  if (!ctx.session.door.interactive) {
    return failure(
      'nobody-to-ask',
      'Nobody can be asked here. Go on with your own judgement and say what you assumed.',
    );
  }
  const responses: Record<string, unknown>[] = [];
  for (const one of questions.slice(0, MAX_QUESTIONS)) {
    const answer = await ask(ctx, one);
    if (answer === undefined && ctx.io.signal.aborted) return failure('interrupted', 'The question was interrupted.');
    if (answer === undefined) return unanswered(one, responses, asList);
    responses.push({ ...(one.id !== undefined && { id: one.id }), ...reply(one, answer) });
  }
  const forUser = 'answered';
  return asList ? jsonOutcome({ responses }, { forUser }) : jsonOutcome(responses[0] ?? {}, { forUser });
}

async function ask(ctx: ToolContext, { question, choices, several }: Asked): Promise<string | undefined> {
  const options = choices.length >= 2 ? [`${choices[0]}${RECOMMENDED}`, ...choices.slice(1)] : choices;
  const prompt = several ? `${question} (several are possible, separated by commas)` : question;
  const answer = await ctx.io.ask({ kind: 'clarify', prompt, options });
  return answer?.replaceAll(RECOMMENDED, '').trim();
}

function reply({ question, choices, several }: Asked, answer: string): Record<string, unknown> {
  const user_response = several ? splitAnswer(answer, choices) : answer;
  return { question, choices_offered: choices.length > 0 ? choices : null, user_response };
}

/** Choices may hold commas themselves, so they are taken out first. */
function splitAnswer(answer: string, choices: readonly string[]): readonly string[] {
  const whole = choices.filter((choice) => choice.includes(',') && answer.includes(choice));
  const rest = whole.reduce((text, choice) => text.replace(choice, ''), answer);
  const parts = rest
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [...whole, ...parts];
}

function unanswered(one: Asked, responses: readonly Record<string, unknown>[], asList: boolean): ToolOutcome {
  const forUser = 'no answer';
  if (asList) return jsonOutcome({ responses, timed_out: true, message: NO_ANSWER }, { forUser });
  return jsonOutcome({ ...reply({ ...one, several: false }, NO_ANSWER), timed_out: true }, { forUser });
}

function questionWithTexts(question: unknown): unknown {
  if (typeof question === 'string') return { question };
  if (typeof question !== 'object' || question === null || !('choices' in question)) return question;
  return Array.isArray(question.choices) ? { ...question, choices: question.choices.map(choiceText) } : question;
}

/** Models send choices as objects too. */
function choiceText(choice: unknown): unknown {
  if (typeof choice !== 'object' || choice === null) return choice;
  const known = choice as Readonly<Record<string, unknown>>;
  return known.label ?? known.description ?? known.text ?? known.title ?? JSON.stringify(choice);
}
