/** Plain requests in English, Japanese and Chinese, as tool calls. Patterns only: nothing here understands anything. */

export type Language = 'en' | 'ja' | 'zh';

export type Intent =
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly what: string;
    }
  | { readonly kind: 'about-me' }
  | { readonly kind: 'skill'; readonly name: string; readonly body: string };

export function languageOf(text: string): Language {
  if (/[\u3040-\u30ff]/.test(text)) return 'ja';
  return /[\u4e00-\u9fff]/.test(text) ? 'zh' : 'en';
}

interface Rule {
  readonly patterns: readonly RegExp[];
  /** The groups of the match by name, trimmed; '' where one took no part. */
  read(groups: Readonly<Record<string, string>>, text: string): Intent | undefined;
}

const call = (tool: string, args: Readonly<Record<string, unknown>>, what: string): Intent => ({
  kind: 'call',
  tool,
  args,
  what,
});
const QUOTED = /^(?:`([^`]*)`|"([^"]*)"|'([^']*)'|「([^」]*)」|『([^』]*)』|“([^”]*)”|‘([^’]*)’)$/;
/** Only marks around the whole: `python3 -c "print(1)"` ends with one that belongs to it. */
const unquote = (text: string): string => QUOTED.exec(text.trim())?.slice(1).join('').trim() ?? text.trim();
const PERSONAL = /\b(i|i'm|i’m|my|me|mine)\b|私|僕|俺|わたし|自分|我/i;

const RULES: readonly Rule[] = [
  {
    patterns: [
      /\bwhat (?:do|can) you (?:know|remember) about me\b|^who am i\b/i,
      /(?:私|僕|俺|わたし|自分)(?:について|に関して|のこと).*(?:知って|覚えて|記憶)/,
      /(?:你|您).*(?:知道|了解|记得|記得|记住).*我.*(?:什么|什麼|哪些|吗|嗎|\?|？)|关于我.*(?:知道|记得)|我是谁|我是誰/,
    ],
    read: () => ({ kind: 'about-me' }),
  },
  {
    patterns: [
      /\b(?:save|store|keep|turn)\b.{0,40}\bas (?:a |an )?(?:new )?skill\b(?:\s+(?:called|named)?\s*[`"']?(?<name>[a-z0-9][\w-]*)[`"']?)?\s*[:：]?\s*(?<body>[\s\S]*)$/i,
      /(?:「(?<name>[^」]+)」(?:という)?)?スキル(?:として|に)(?:保存|登録)(?:して\S*)?[：:]?(?<body>[\s\S]*)$/,
      /(?:保存|存|存储|保留)(?:为|成|作)(?:一个|新)?技能[「“"]?(?<name>[^」”":：\s]*)[」”"]?[：:]?(?<body>[\s\S]*)$/,
    ],
    read: ({ name = '', body = '' }) => ({ kind: 'skill', name, body: body.trim() }),
  },
  {
    patterns: [
      /^(?:please\s+)?(?:search|look|find)\b.{0,20}?\b(?:talks?|chats?|sessions?|conversations?|history|messages?)\b.{0,20}?\b(?:for|about|on)\s+(?<query>.+)$/i,
      /^what did (?:we|i|you) (?:say|decide|talk|discuss|write)\b(?:\s+about)?\s+(?<query>.+)$/i,
      /(?:過去|以前|前|これまで)の(?:会話|話|チャット|やりとり|セッション)(?:から|で|の中から|を)?(?<query>.+?)(?:について|に関して|の話)?(?:を)?(?:検索|探|調べ)/,
      /(?:搜索|搜尋|查找|检索|找)(?:一下)?(?:我们|我)?(?:以前|之前|过去|從前|历史)的?(?:对话|對話|聊天|会话|记录|消息)(?:记录)?(?:中|里|裡)?(?:的)?(?:关于|有关|關於)?[：:\s]*(?<query>.+?)(?:的(?:内容|部分))?$/,
    ],
    read: ({ query = '' }) =>
      call('session_search', { query: unquote(query.replace(/[?？。.]+$/, '')) }, unquote(query)),
  },
  {
    patterns: [
      /^(?:please\s+)?(?:can you\s+)?remember(?:\s+that)?[:,]?\s+(?<fact>[\s\S]+)$/i,
      /^(?:覚えて|記憶して)(?:おいて|ください|くれ|ね)*[：:、,\s]+(?<fact>[\s\S]+)$/,
      /^(?<fact>[\s\S]+?)(?:ということ|こと)?(?:を|と|って)?、?(?:覚えて|記憶して)(?:おいて|いて|ください|下さい|くれ|ね|。)*$/,
      /^(?:请|請)?(?:你|帮我|幫我)?(?:记住|記住|记下|記下|记得|記得)[：:，,\s]*(?<fact>[\s\S]+)$/,
    ],
    read: ({ fact = '' }) => {
      const content = unquote(fact);
      return content === ''
        ? undefined
        : call('memory', { action: 'add', target: PERSONAL.test(content) ? 'user' : 'memory', content }, content);
    },
  },
  {
    patterns: [
      /^(?:please\s+)?(?:write|save|put)\s+(?<text>["“「'`][\s\S]+?["”」'`])\s+(?:to|into|in)\s+(?:the\s+|a\s+)?(?:file\s+)?(?<path>\S+)$/i,
      /^(?:please\s+)?(?:write|create|make)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>[^\s"]*[./][^\s"]*)\s+(?:with|containing|saying)\s+(?:the\s+)?(?:text\s+|content\s+)?[:]?\s*(?<text>[\s\S]+)$/i,
      /^(?<path>\S+?)\s*(?:という(?:ファイル|名前))?\s*に\s*(?<text>[「『"][\s\S]+[」』"])(?:と|を)?(?:書|保存|入力)/,
      /^(?:请|請)?(?:把|将|將)(?<text>[「“"'][\s\S]+[」”"'])(?:写入|写到|写进|保存到|存到|寫入|寫到)(?:文件|檔案)?\s*(?<path>\S+)$/,
      /^(?:请|請)?在(?:文件|檔案)?\s*(?<path>\S+?)\s*(?:里|中|裡)?(?:写入|写上|寫入)[：:]?\s*(?<text>[\s\S]+)$/,
    ],
    read: ({ path = '', text = '' }) =>
      call('write_file', { path: unquote(path), content: `${unquote(text)}\n` }, unquote(path)),
  },
  {
    patterns: [
      /^(?:please\s+)?(?:list|show)(?:\s+me)?(?:\s+(?:all|the|my))*\s+(?:files|folder|directory|files here)(?:\s+(?:in|of|under|here))*\s*(?<path>[^\s?]*)\??$/i,
      /^(?:what|which) files are\b.*$/i,
      /^(?<path>[\w./~-]*)\s*(?:の|にある)?ファイル(?:の)?(?:一覧|リスト)|^(?<path2>[\w./~-]*)\s*(?:の|にある)?ファイルを(?:見せ|表示|列挙)/,
      /^(?:请|請)?(?:列出|显示|顯示)(?:一下)?(?<path>[\w./~-]*)(?:里|中|下|裡)?(?:的)?(?:所有)?(?:文件|目录|檔案|資料夾)/,
    ],
    read: ({ path = '', path2 = '' }) =>
      call('search_files', { pattern: '*', target: 'files', path: path || path2 || '.' }, path || path2 || '.'),
  },
  {
    patterns: [
      /^(?:please\s+)?(?:run|execute)(?:\s+(?:the|this))?(?:\s+(?:shell\s+)?command)?\s*[:：]\s*(?<command>[\s\S]+)$/i,
      /^(?:please\s+)?(?:run|execute)\s+(?:the\s+command\s+)?(?<command>[\s\S]+)$/i,
      /^(?:実行|コマンド)(?:して)?\s*[：:]\s*(?<command>[\s\S]+)$/,
      /^(?<command>[\x20-\x7e`「」]+?)\s*(?:というコマンド)?を(?:実行|走らせ)/,
      /^(?:请|請)?(?:运行|執行|执行|運行)(?:命令|一下)?\s*[：:]?\s*(?<command>[\s\S]+)$/,
    ],
    read: ({ command = '' }) => call('terminal', { command: unquote(command) }, unquote(command)),
  },
  {
    patterns: [
      /^(?:please\s+)?(?:read|open|cat|show)(?:\s+me)?(?:\s+the)?(?:\s+file)?\s+(?<path>[^\s?]+)\??$/i,
      /^(?:ファイル\s*)?(?<path>\S+?)\s*(?:という)?(?:ファイル)?\s*を\s*(?:読|開|見せ|表示)/,
      /^(?:请|請)?(?:读取|阅读|读一下|读|打开|查看|讀取|打開)(?:文件|檔案)?\s*(?<path>[\w./~-]+)$/,
    ],
    read: ({ path = '' }) => call('read_file', { path: unquote(path) }, unquote(path)),
  },
  {
    patterns: [
      /^(?:todo|to-do|plan|待办|待辦|タスク)(?:\s*list)?\s*[：:]\s*(?<items>[\s\S]+)$/i,
      /^(?:please\s+)?add\s+(?<items>.+)\s+to\s+(?:the|my)\s+(?:to-?do|plan|task)s?(?:\s+list)?$/i,
      /^(?<items>.+?)を(?:TODO|ToDo|todo|タスク)(?:リスト)?に(?:追加|入れ)/,
      /^(?:请|請)?(?:把|将|將)(?<items>.+?)(?:加入|添加到|加到|放进)(?:待办|待辦|任务)/,
    ],
    read: ({ items = '' }) => {
      const todos = items
        .split(/[;；、,，\n]+/)
        .map((item) => item.trim())
        .filter(Boolean);
      const rows = todos.map((content, index) => ({
        id: `demo-${index + 1}`,
        content: unquote(content),
        status: 'pending',
      }));
      return rows.length === 0 ? undefined : call('todo', { todos: rows, merge: true }, todos.join('; '));
    },
  },
  {
    patterns: [
      /^(?:show|list)(?:\s+me)?(?:\s+(?:the|my))?\s+(?:to-?dos?|plan|tasks)(?:\s+list)?\??$/i,
      /(?:TODO|ToDo|タスク)(?:リスト)?を(?:見せ|表示)/,
      /(?:显示|列出|查看)(?:我的)?(?:待办|任务)/,
    ],
    read: () => call('todo', {}, ''),
  },
];

const STEP_BREAK =
  /\s*(?:\n+|[;,.]?\s+(?:and\s+)?then\s+|。\s*(?:それから|そして|次に)?、?|[、,，；;。]\s*(?:それから|そして|然后|然後|接着|再)\s*)\s*/i;

/** One intent per step, in order; empty when the text is none of the known requests. */
export function readIntents(text: string): readonly Intent[] {
  const trimmed = text.trim();
  const parts = trimmed
    .split(STEP_BREAK)
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length > 1) {
    const steps = parts.map(readOne);
    if (steps.every((step) => step !== undefined)) return steps;
  }
  const single = readOne(trimmed);
  return single === undefined ? [] : [single];
}

function readOne(text: string): Intent | undefined {
  for (const rule of RULES)
    for (const pattern of rule.patterns) {
      const match = pattern.exec(text);
      const groups = Object.fromEntries(
        Object.entries(match?.groups ?? {}).map(([name, value]) => [name, value?.trim() ?? '']),
      );
      const intent = match === null ? undefined : rule.read(groups, text);
      if (intent !== undefined) return intent;
    }
  return undefined;
}
