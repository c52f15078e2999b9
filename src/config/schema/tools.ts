/** What the agent's tools may do and how much of it the model sees. */
import * as z from 'zod';
import {
  anyMap,
  bool,
  group,
  int,
  mapOf,
  num,
  oneOf,
  optionalBool,
  optionalInt,
  optionalNum,
  optionalText,
  section,
  text,
  textMap,
  texts,
} from './kinds.ts';

const IMAGE = 'nikolaik/python-nodejs:python3.11-nodejs20';

const terminal = section(
  {
    backend: oneOf(
      ['local', 'docker', 'ssh', 'modal', 'daytona', 'vercel_sandbox', 'singularity'],
      'local',
      'Where commands run.',
    ),
    cwd: text('.', 'Folder that gateway and scheduled sessions start in.'),
    timeout: int(180, 'Longest command in seconds.', 1),
    temp_dir: text('', 'Folder for temporary files of commands and of their shell. Empty: the system’s.'),
    home_mode: oneOf(
      ['auto', 'real', 'profile'],
      'auto',
      'HOME of commands: yours (auto, real), or the folder `home` in the Hermes home.',
    ),
    env_passthrough: texts([], 'Variables with secrets, or set in `.env`, that commands may see.'),
    shell_init_files: texts([], 'Files sourced before the first command of a session.'),
    auto_source_bashrc: bool(true, 'Source the shell’s start files.'),
    persistent_shell: bool(true, 'Keep one shell per session on remote backends.'),
    lifetime_seconds: int(300, 'Seconds an idle sandbox lives.'),
    degraded_mode: oneOf(
      ['warn', 'fail', 'local'],
      'warn',
      'When that is not to be had: run nothing and say so (warn, fail), or run on this machine.',
    ),
    daemon_term_grace_seconds: num(2, 'Seconds between asking a process to end and killing it.'),
    oneshot_completion_wait_seconds: int(600, 'Longest wait of a one-shot run for background processes.'),
    docker_image: text(IMAGE, 'Image for docker.'),
    singularity_image: text(`docker://${IMAGE}`, 'Image for singularity.'),
    modal_image: text(IMAGE, 'Image for modal.'),
    daytona_image: text(IMAGE, 'Image for daytona.'),
    docker_forward_env: texts([], 'Variables handed to the container.'),
    docker_env: textMap('Variables set in the container.'),
    docker_volumes: texts([], 'Volumes as `host:container[:ro]`.'),
    docker_extra_args: texts([], 'Further arguments of `docker run`.'),
    docker_mount_cwd_to_workspace: bool(false, 'Mount the working folder as `/workspace`.'),
    docker_network: bool(true, 'Give the container a network.'),
    docker_shm_size: text('1g', 'Size of `/dev/shm`.'),
    docker_run_as_host_user: bool(false, 'Run as your own user id.'),
    docker_snap_compat: bool(false, 'Work around the limits of docker from snap.'),
    docker_shared_container_key: text('', 'Share one container among sessions with this key.'),
    docker_persist_across_processes: bool(true, 'Keep the container when Hermes ends.'),
    docker_orphan_reaper: bool(true, 'Remove containers whose Hermes is gone.'),
    container_cpu: num(1, 'Processors.'),
    container_memory: int(5120, 'Memory in MB.'),
    container_disk: int(51_200, 'Disk in MB.'),
    container_persistent: bool(true, 'Keep the container’s files between sessions.'),
    ssh_host: text('', 'Host for ssh.'),
    ssh_user: text('', 'User for ssh.'),
    ssh_port: int(22, 'Port for ssh.', 1, 65_535),
    ssh_key: text('', 'Key file for ssh.'),
    modal_mode: text('auto', 'How modal is reached.'),
    vercel_runtime: text('node24', 'Runtime of the Vercel sandbox.'),
    font_family: text('', 'Font of the embedded terminal.'),
  },
  'Running commands.',
);

const mcpServer = group({
  command: optionalText('Program to start.'),
  args: z.array(z.string()).optional().meta({ description: 'Its arguments.' }),
  env: z.record(z.string(), z.string()).optional().meta({ description: 'Its variables.' }),
  cwd: optionalText('Its folder.'),
  url: optionalText('Address of a remote server.'),
  headers: z.record(z.string(), z.string()).optional().meta({ description: 'HTTP headers.', secret: true }),
  transport: optionalText('`stdio`, `http` or `sse`.'),
  auth: z.unknown().optional().meta({ description: '`oauth`, or a map with its settings.' }),
  timeout: optionalNum('Longest call in seconds (120).'),
  connect_timeout: optionalNum('Longest connection in seconds (60).'),
  keepalive_interval: optionalNum('Seconds between pings.'),
  lazy: optionalBool('Connect at the first call.'),
  enabled: optionalBool('False leaves the server out.'),
  supports_parallel_tool_calls: optionalBool('Calls may run side by side.'),
  tools: group({
    include: z.array(z.string()).optional().meta({ description: 'Only these tools.' }),
    exclude: z.array(z.string()).optional().meta({ description: 'All but these tools.' }),
    resources: optionalBool('Offer the server’s resources.'),
    prompts: optionalBool('Offer the server’s prompts.'),
  })
    .optional()
    .meta({ description: 'Which tools are offered.' }),
  sampling: group({
    enabled: optionalBool('Let the server ask the model (true).'),
    model: optionalText('Model for it.'),
    max_tokens_cap: optionalInt('Most tokens of an answer (4096).', 1),
    timeout: optionalNum('Longest request in seconds (30).'),
    max_rpm: optionalInt('Most requests a minute (10).', 1),
    allowed_models: z.array(z.string()).optional().meta({ description: 'Models it may name.' }),
    max_tool_rounds: optionalInt('Most tool rounds (5).'),
    log_level: optionalText('How much is logged (info).'),
  })
    .optional()
    .meta({ description: 'Requests of the server to the model.' }),
});

const browser = section(
  {
    backend: text('', 'Browser service. Empty: what is there.'),
    inactivity_timeout: int(120, 'Seconds after which an idle browser is closed.'),
    command_timeout: int(30, 'Longest action in seconds.', 1),
    snapshot_threshold: int(15_000, 'Characters of a page above which it is summarised.'),
    headed: bool(false, 'Show the window.'),
    allow_private_urls: bool(false, 'Let it open addresses of this network.'),
    engine: text('auto', 'Browser engine.'),
    cdp_url: text('', 'Address of a running browser.'),
    record_sessions: bool(false, 'Keep recordings.'),
    dialog_policy: oneOf(['must_respond', 'auto_accept', 'auto_dismiss'], 'must_respond', 'What to do with dialogs.'),
    dialog_timeout_s: int(300, 'Seconds a dialog may wait.'),
    restrict_evaluate: bool(false, 'No scripts of the model’s own in pages.'),
    camofox: anyMap('Settings of Camofox.'),
  },
  'Browser.',
);

const web = section(
  {
    backend: text('', 'Service for search and reading. Empty: what has a key.'),
    search_backend: text('', 'For search alone.'),
    extract_backend: text('', 'For reading alone.'),
    extract_char_limit: int(15_000, 'Most characters of a page.', 1),
    keyless_fallback: bool(true, 'Use services without a key when none has one.'),
    keyless_rescue: bool(true, 'Use them when the one with a key fails.'),
    provider_tier: anyMap('Plan you have with a service.'),
    cache_enabled: bool(true, 'Keep pages for a while.'),
    cache_ttl_minutes: int(20, 'How long.'),
    cache_exempt_hosts: texts([], 'Hosts never kept.'),
  },
  'Web search and reading.',
);

export const toolSettings = {
  toolsets: texts(['hermes-cli'], 'Not used any more; see `platform_toolsets`.'),
  platform_toolsets: mapOf(z.array(z.string()), 'Toolsets or presets per platform, such as `cli: [hermes-cli]`.'),
  custom_toolsets: mapOf(z.array(z.string()), 'Toolsets of your own: name → toolsets or tools.'),
  file_read_max_chars: int(100_000, 'Most characters of a file read.', 1),
  tool_output: section(
    {
      max_bytes: int(50_000, 'Most bytes of a command’s output.', 1),
      max_lines: int(2000, 'Most lines.', 1),
      max_line_length: int(2000, 'Longest line.', 1),
    },
    'Output shown to the model.',
  ),
  tool_budget: section(
    { mcp_result_size_chars: int(50_000, 'Characters above which a result goes to a file.', 1) },
    'Results of MCP tools.',
  ),
  tools: section(
    {
      tool_search: section(
        {
          enabled: z
            .union([z.boolean(), z.enum(['auto'])])
            .default('auto')
            .meta({ description: 'Hide many MCP and plugin tools behind a search.' }),
          threshold_pct: num(5, 'Share of the window above which that happens.', 0, 100),
          search_default_limit: int(5, 'Tools found at once.', 1),
          max_search_limit: int(25, 'Most.', 1),
          listing: text('auto', 'Whether their names are listed.'),
          listing_max_tokens: int(4000, 'Most tokens of that list.'),
        },
        'Deferred tools.',
      ),
    },
    'Tools.',
  ),
  terminal,
  code_execution: section(
    {
      mode: oneOf(['project', 'isolated', 'strict'], 'project', 'Where scripts run.'),
      timeout: int(300, 'Longest script in seconds.', 1),
      max_tool_calls: int(50, 'Most tool calls of one script.'),
      kernel_idle_timeout: int(1800, 'Seconds an idle interpreter stays.'),
      max_session_kernels: int(4, 'Most interpreters of a session.', 1),
    },
    'Scripts that call tools.',
  ),
  web,
  browser,
  checkpoints: section(
    {
      enabled: bool(false, 'Snapshot files before they are changed, for `/rollback`.'),
      max_snapshots: int(20, 'Most kept per folder.', 1),
      max_total_size_mb: int(500, 'Most space.', 1),
      max_file_size_mb: int(10, 'Larger files are left out.', 1),
      auto_prune: bool(true, 'Remove old ones by itself.'),
      retention_days: int(7, 'How old they may grow.', 1),
      min_interval_hours: int(24, 'Hours between cleanings.', 1),
    },
    'Checkpoints.',
  ),
  worktree: bool(false, 'Start every session in a git worktree of its own.'),
  worktree_sync: bool(true, 'Branch it from the fetched remote.'),
  lsp: section(
    {
      enabled: bool(true, 'Report what a language server finds after edits.'),
      wait_mode: text('document', 'What to wait for.'),
      wait_timeout: num(5, 'Longest wait in seconds.'),
      install_strategy: oneOf(['auto', 'ask', 'never'], 'auto', 'Whether servers are installed.'),
      idle_timeout: int(600, 'Seconds an idle server lives.'),
      servers: anyMap('Servers of your own.'),
    },
    'Language servers.',
  ),
  vision: section(
    {
      embed_target_bytes: int(262_144, 'Size that images are shrunk to.', 1),
      max_calls_per_image: int(3, 'Most looks at one image.', 1),
    },
    'Images.',
  ),
  x_search: anyMap('Search on X.'),
  image_gen: anyMap('Making images.'),
  computer_use: anyMap('Working the desktop.'),
  mcp_servers: mapOf(mcpServer, 'MCP servers by name.'),
  mcp_discovery_timeout: num(1.5, 'Wait for MCP servers at an interactive start, in seconds.'),
  mcp_single_query_discovery_timeout: num(15, 'Wait for them in a one-shot run, in seconds.'),
  mcp: section({ auto_reload_on_config_change: bool(true, 'Reconnect when `mcp_servers` changes.') }, 'MCP.'),
  hooks: mapOf(z.array(z.unknown()), 'Shell hooks: event → list of `{matcher, command, timeout}`.'),
  hooks_auto_accept: bool(false, 'Run new hooks without asking.'),
  plugins: section(
    {
      enabled: texts([], 'Plugins that are on.'),
      disabled: texts([], 'Plugins that are off.'),
      entries: anyMap('Settings per plugin.'),
      hook_callback_timeout: num(30, 'Longest call of a plugin’s hook in seconds.'),
      clone_timeout_seconds: int(300, 'Longest download.'),
      auto_update_check_hours: int(24, 'Hours between looks for updates.'),
      auto_apply: bool(false, 'Install updates by itself.'),
    },
    'Plugins.',
  ),
  quick_commands: anyMap('Commands of your own: `{type: exec, command}` or `{type: alias, target}`.'),
  model_routing: anyMap('Older form of aliases and fallbacks, still read.'),
};
