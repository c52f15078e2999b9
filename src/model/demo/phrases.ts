/** What the demo says, in three languages. */
import type { Language } from './intents.ts';

export interface Phrases {
  /** The line that ends every answer. */
  readonly label: string;
  readonly intro: string;
  /** Things to say, with the tool that each needs. */
  readonly examples: readonly (readonly [tool: string, text: string])[];
  readonly outro: string;
  readonly knowNothing: string;
  readonly know: string;
  missingTool(tool: string): string;
  done(tool: string, what: string): string;
  failed(tool: string, what: string): string;
  readonly noOutput: string;
  readonly nothingToSave: string;
}

const EN: Phrases = {
  label: '_Demo model: simple rules, not an AI. Run `hermes setup` to connect a real one._',
  intro: 'I am the built-in demo. I follow a few fixed phrases, and the tools I call are real:',
  examples: [
    ['memory', '`remember that I like short answers`'],
    ['memory', '`what do you know about me?`'],
    ['session_search', '`search our earlier talks for tea`'],
    ['terminal', '`run: echo hello`'],
    ['write_file', '`write "hello" to notes.txt`, `read notes.txt`, `list files`'],
    ['todo', '`todo: buy tea; call Ana`'],
    ['skill_manage', '`save this as a skill called greet`'],
  ],
  outro: 'Steps can be joined with “then”.',
  knowNothing:
    'Nothing yet: your memory was empty when this session began. Notes saved since then show up in the next one.',
  know: 'This is what I had noted when this session began:',
  missingTool: (tool) => `I would need the tool \`${tool}\` for that, and it is not offered in this session.`,
  done: (tool, what) => `I called \`${tool}\`${what === '' ? '' : ` for “${what}”`}. It answered:`,
  failed: (tool, what) => `I called \`${tool}\`${what === '' ? '' : ` for “${what}”`} and it failed:`,
  noOutput: '(no output)',
  nothingToSave:
    'There is nothing in this conversation yet that could become a skill: let me run or write something first.',
};

const JA: Phrases = {
  label: '_デモモデルです（AI ではなく単純な規則）。本物につなぐには `hermes setup` を実行してください。_',
  intro: '内蔵のデモです。決まった言い方にだけ反応しますが、呼び出す道具は本物です:',
  examples: [
    ['memory', '「短い返事が好きだと覚えて」'],
    ['memory', '「私について何を知っていますか」'],
    ['session_search', '「以前の会話からお茶を検索して」'],
    ['terminal', '「実行: echo hello」'],
    ['write_file', '「notes.txt に「こんにちは」と書いて」「notes.txt を読んで」「ファイル一覧」'],
    ['todo', '「タスク: お茶を買う、電話する」'],
    ['skill_manage', '「スキルとして保存して」'],
  ],
  outro: '',
  knowNothing:
    'まだ何もありません。このセッションの開始時、メモは空でした。今後保存したことは次のセッションから見えます。',
  know: 'このセッションの開始時に控えていたことです:',
  missingTool: (tool) => `それには道具 \`${tool}\` が必要ですが、このセッションでは使えません。`,
  done: (tool, what) => `\`${tool}\` を呼び出しました${what === '' ? '' : `（${what}）`}。結果:`,
  failed: (tool, what) => `\`${tool}\` を呼び出しましたが${what === '' ? '' : `（${what}）`}失敗しました:`,
  noOutput: '（出力なし）',
  nothingToSave: 'スキルにできることがまだこの会話にありません。先に何かを実行するか書かせてください。',
};

const ZH: Phrases = {
  label: '_这是演示模型（简单规则，不是 AI）。运行 `hermes setup` 连接真正的模型。_',
  intro: '我是内置的演示模型，只认得几种固定说法，但调用的工具是真的：',
  examples: [
    ['memory', '“记住我喜欢简短的回答”'],
    ['memory', '“你知道关于我的什么？”'],
    ['session_search', '“搜索以前的对话关于茶”'],
    ['terminal', '“运行: echo hello”'],
    ['write_file', '“把“你好”写入 notes.txt”、“读取 notes.txt”、“列出文件”'],
    ['todo', '“待办: 买茶，打电话”'],
    ['skill_manage', '“保存为技能”'],
  ],
  outro: '',
  knowNothing: '还没有。本次会话开始时记忆是空的，之后保存的内容会在下一次会话中出现。',
  know: '本次会话开始时我记得：',
  missingTool: (tool) => `这需要工具 \`${tool}\`，而本次会话没有提供它。`,
  done: (tool, what) => `我调用了 \`${tool}\`${what === '' ? '' : `（${what}）`}，结果：`,
  failed: (tool, what) => `我调用了 \`${tool}\`${what === '' ? '' : `（${what}）`}，但是失败了：`,
  noOutput: '（没有输出）',
  nothingToSave: '这次对话里还没有可以存成技能的内容，先让我运行或写点什么。',
};

export const PHRASES: Readonly<Record<Language, Phrases>> = { en: EN, ja: JA, zh: ZH };
