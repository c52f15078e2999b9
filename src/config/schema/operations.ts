/** Chat platforms, the gateway that joins them, schedules and upkeep. */
import * as z from 'zod';
import {
  anyMap,
  bool,
  group,
  int,
  mapOf,
  num,
  oneOf,
  openSection,
  optionalBool,
  optionalInt,
  optionalText,
  section,
  text,
  texts,
} from './kinds.ts';

const platform = group({
  enabled: optionalBool('Whether it is used; not set: when it has credentials.'),
  token: optionalText('Bot token, better kept in `.env`.', { secret: true }),
  api_key: optionalText('Key.', { secret: true }),
  reply_to_mode: optionalText('`off`, `first` or `all`: which messages are sent as replies.'),
  home_channel: z.unknown().optional().meta({ description: 'Chat for messages of its own accord.' }),
  require_mention: optionalBool('Answer in groups only when named.'),
  allowed_users: z.unknown().optional().meta({ description: 'Who may talk to it.' }),
  extra: z.record(z.string(), z.unknown()).optional().meta({ description: 'Settings of this platform alone.' }),
});

const platformSection = (name: string) =>
  openSection({ require_mention: bool(true, 'Answer in groups only when named.') }, `${name}.`);

const gateway = section(
  {
    multiplex_profiles: bool(false, 'One process for all profiles.'),
    delivery_ledger: bool(true, 'Remember what was sent.'),
    platform_connect_timeout: int(30, 'Longest connection in seconds.', 1),
    loop_watchdog: bool(true, 'Notice a stuck process.'),
    startup_watchdog: bool(true, 'Notice a stuck start.'),
    write_sessions_json: bool(true, 'Mirror the session index to a file.'),
    message_timestamps: section({ enabled: bool(false, 'Tell the model when a message came.') }, 'Times.'),
    max_inbound_media_bytes: int(134_217_728, 'Largest attachment taken.'),
    trust_env: bool(true, 'Use proxy variables.'),
    strict: bool(false, 'Refuse to start with a faulty platform.'),
    media_delivery_allow_dirs: texts([], 'Further folders that files may be sent from.'),
    trust_recent_files: bool(true, 'Files just made may be sent.'),
    trust_recent_files_seconds: int(600, 'What counts as just made.'),
    platforms: mapOf(platform, 'Another place for `platforms`.'),
    restart_loop_guard: section(
      {
        max_restarts: int(3, 'Restarts.', 1),
        window_seconds: int(60, 'In so many seconds.', 1),
        cooldown_seconds: int(300, 'Then a pause.'),
      },
      'Endless restarts.',
    ),
    respawn_storm: section(
      { max_starts: int(5, 'Starts.', 1), window_seconds: int(120, 'In so many seconds.', 1) },
      'Endless starts.',
    ),
    bot_loop_guard: section(
      {
        max_messages: int(20, 'Messages from one bot.', 1),
        window_seconds: int(300, 'In so many seconds.', 1),
        cooldown_seconds: int(600, 'Then a pause.'),
      },
      'Bots that answer each other.',
    ),
    api_server: section({ max_concurrent_runs: int(10, 'Most runs at once.', 1) }, 'HTTP server.'),
  },
  'Gateway.',
);

const cron = section(
  {
    catch_up_missed: bool(true, 'Run a job that was missed.'),
    preflight: bool(true, 'Check a job before it runs.'),
    model: text('', 'Model of jobs.'),
    model_provider: text('', 'Its provider.'),
    wrap_response: bool(true, 'Say which job an answer is from.'),
    delivery: section({ notify: bool(true, 'Tell when a delivery fails.') }, 'Delivery.'),
    mirror_delivery: bool(false, 'Put answers into the chat’s session too.'),
    max_parallel_jobs: optionalInt('Most jobs at once.', 1),
    output_retention: int(50, 'Answers kept per job.'),
    script_timeout_seconds: int(3600, 'Longest script.', 1),
    session_db_timeout_seconds: int(10, 'Longest wait for the database.', 1),
    media_send_timeout_seconds: int(300, 'Longest sending of a file.', 1),
    allow_agent_scheduling: bool(false, 'Let jobs make jobs.'),
    provider: text('', 'Scheduler; empty: the built-in one.'),
  },
  'Scheduled jobs.',
);

const dashboard = section(
  {
    theme: text('default', 'Colours.'),
    show_token_analytics: bool(false, 'Show tokens.'),
    public_url: text('', 'Address seen from outside.'),
    trusted_proxies: texts([], 'Proxies in front.'),
    oauth: anyMap('Sign-in with another service.'),
    basic_auth: anyMap('Sign-in with a password.'),
    ws_ping_interval: num(20, 'Seconds between pings.'),
    ws_ping_timeout: num(20, 'Longest wait for an answer.'),
    ws_orphan_reap_grace_s: num(20, 'Seconds a lost connection may come back.'),
  },
  'Web dashboard.',
);

export const operationSettings = {
  group_sessions_per_user: bool(true, 'In groups everyone has a session of their own.'),
  unauthorized_dm_behavior: oneOf(['pair', 'ignore', 'deny'], 'pair', 'What strangers get.'),
  streaming: section(
    {
      enabled: bool(false, 'Let answers grow in chats.'),
      transport: text('auto', 'How.'),
      edit_interval: num(0.8, 'Seconds between edits.'),
      buffer_threshold: int(24, 'Characters before an edit.'),
      cursor: text(' ▉', 'Mark at the end.'),
      fresh_final_after_seconds: num(0, 'Send the last version anew after so long; 0 never.'),
    },
    'Growing answers in chats.',
  ),
  gateway,
  platforms: mapOf(platform, 'Chat platforms by name.'),
  telegram: platformSection('Telegram'),
  discord: openSection(
    {
      require_mention: bool(true, 'Answer in groups only when named.'),
      auto_thread: bool(true, 'Answer in a thread.'),
    },
    'Discord.',
  ),
  slack: platformSection('Slack'),
  whatsapp: platformSection('WhatsApp'),
  matrix: platformSection('Matrix'),
  mattermost: platformSection('Mattermost'),
  cron,
  kanban: openSection(
    {
      dispatch_in_gateway: bool(true, 'The gateway hands out tasks.'),
      dispatch_interval_seconds: int(60, 'How often.', 1),
      failure_limit: int(2, 'Failures after which a task waits for you.', 1),
      auto_decompose: bool(true, 'Break tasks down.'),
      dispatch_stale_timeout_seconds: int(14_400, 'Seconds after which a task counts as lost.', 1),
    },
    'Boards.',
  ),
  logging: section(
    {
      level: oneOf(['DEBUG', 'INFO', 'WARNING', 'ERROR'], 'INFO', 'How much is logged.'),
      max_size_mb: int(5, 'Size of a log file.', 1),
      backup_count: int(3, 'Older files kept.'),
    },
    'Logs.',
  ),
  network: section({ force_ipv4: bool(false, 'Never use IPv6.') }, 'Network.'),
  runtime: section({ nofile_soft_limit: int(4096, 'Open files to allow.', 1) }, 'Process.'),
  attachments: section({ storage: text('hermes-home', 'Where attachments are kept.') }, 'Attachments.'),
  updates: section(
    {
      check: bool(true, 'Look for a new version.'),
      pre_update_backup: oneOf(['quick', 'full', 'off'], 'quick', 'Copy made before an update.'),
      backup_keep: int(5, 'Copies kept.', 1),
      non_interactive_local_changes: oneOf(['stash', 'abort'], 'stash', 'What becomes of changes to the program.'),
      auto_switch_parked_branch: bool(true, 'Return to the usual branch.'),
    },
    'Updates.',
  ),
  dashboard,
  telemetry: section(
    {
      shared_metrics: section(
        { enabled: bool(false, 'Count what is used.'), send: bool(false, 'Send the counts.') },
        'Shared numbers.',
      ),
    },
    'Telemetry: off.',
  ),
  monitoring: anyMap('Monitoring.'),
  doctor: section({ live_probe_timeout: int(10, 'Longest probe in seconds.', 1) }, 'Doctor.'),
};
