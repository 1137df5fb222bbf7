"""Names of things of which one is chosen: a later one of the same list stands in the place of an earlier one.

What has no form of its own is told by these lists: that "Redis" and "Memcached" are two of a kind cannot be
read off the words. A list is added for a kind of which people choose one; it holds what is well known. Only
doubts are built on them, so a wrong pair costs no more than that.
"""

from __future__ import annotations

_LISTS = {
    "database": (
        "postgres postgresql mysql mariadb sqlite duckdb mongodb mongo cassandra dynamodb"
        " cockroachdb oracle mssql firestore couchdb clickhouse snowflake bigquery redshift"
        " elasticsearch opensearch solr neo4j influxdb timescaledb supabase planetscale"
    ),
    "cache": "redis memcached valkey dragonfly keydb varnish",
    "queue": "kafka rabbitmq nats sqs pulsar redpanda activemq celery sidekiq",
    "cloud": (
        "aws azure gcp heroku vercel netlify render hetzner digitalocean linode ovh cloudflare"
        " fastly akamai bunny lambda s3 gcs"
    ),
    "ci": ("jenkins circleci travis buildkite teamcity bamboo drone gitlab github bitbucket gitea actions"),
    "code": (
        "python java kotlin scala rust go golang typescript javascript ruby elixir erlang php"
        " perl swift dart julia haskell clojure c++ c# zig lua fortran matlab"
    ),
    "frame": (
        "react vue svelte angular solid preact ember htmx jquery django flask fastapi rails"
        " laravel spring express nestjs phoenix sinatra starlette tornado"
    ),
    "style sheet": "tailwind bootstrap bulma sass scss",
    "runner": (
        "jest vitest mocha jasmine pytest unittest nose cypress playwright selenium junit testng"
        " rspec karma ava"
    ),
    "builder": (
        "webpack vite rollup esbuild parcel turbopack gradle maven bazel ant cmake meson make ninja sbt"
    ),
    "packer": "npm yarn pnpm bun pip poetry uv conda pipenv cargo",
    "state": "redux zustand mobx recoil jotai pinia vuex",
    "linter": "ruff flake8 pylint black prettier eslint biome isort",
    "editor": "vim neovim emacs vscode helix zed kakoune sublime intellij pycharm nano lapce notepad",
    "system": "linux windows macos ubuntu debian fedora alpine centos freebsd android ios arch",
    "browser": "chrome firefox safari edge brave opera",
    "chat": (
        "slack teams discord zulip mattermost telegram whatsapp signal zoom webex skype meet"
        " jitsi 微信 钉钉 飞书 腾讯会议"
    ),
    "board": "jira trello asana linear notion clickup basecamp monday",
    "watch": "datadog grafana prometheus newrelic sentry splunk kibana honeycomb",
    "deploy": "docker podman kubernetes k8s nomad helm terraform pulumi ansible chef puppet",
    "model": "gpt claude gemini llama mistral qwen deepseek haiku sonnet opus bert",
    "plot": "matplotlib seaborn plotly bokeh altair ggplot d3 echarts vega",
    "frame data": "pandas polars dask spark modin vaex numpy",
    "palette": "viridis magma plasma inferno cividis turbo jet grayscale",
    "courier": "dhl ups fedex usps dpd gls hermes tnt 顺丰 京东 中通 圆通 申通 韵达 邮政 极兔",
    "pay": "paypal stripe klarna visa mastercard amex cash cheque adyen 支付宝 微信支付 银联 现金 转账",
    "font": (
        "helvetica arial inter roboto garamond times calibri verdana georgia futura lato 宋体 黑体 楷体 仿宋"
    ),
    "markup": (
        "markdown restructuredtext latex html docx word pdf asciidoc json yaml toml xml csv"
        " parquet xlsx excel avro protobuf"
    ),
    "picture": "png jpg jpeg svg webp gif tiff eps bmp avif heic",
    "access": "read-only read-write write-only readonly 只读 读写",
    "dialect": "british american australian simplified traditional",
    "date": "yyyy-mm-dd dd-mm-yyyy mm-dd-yyyy iso-8601",
    "period": "hourly daily weekly fortnightly monthly quarterly yearly annually",
    "citing": "apa mla chicago vancouver harvard ieee bibtex",
    "units": (
        "metric imperial celsius fahrenheit kelvin inches feet"
        " miles kilometres kilometers centimetres millimetres 公制 英制 摄氏 华氏"
    ),
    "tone": (
        "formal informal casual playful sober friendly polite serious humorous dry warm neutral"
        " professional strict relaxed terse chatty academic"
        " 正式 随意 活泼 稳重 严肃 幽默 口语 书面 轻松 亲切 客气 专业"
    ),
    "length": "short long brief detailed concise verbose 简短 详细 简洁 长一点 短一点",
    "shape": (
        "prose bullet bullets table tables list lists paragraph paragraphs narrative chart"
        " diagram 要点 段落 表格 列表 条目 散文 图表"
    ),
    "format": "square landscape portrait vertical horizontal wide 横版 竖版 方的 横的 竖的",
    "level": "debug info warn warning error trace fatal verbose",
    "indent": "tab tabs space spaces 空格 tab",
    "case": "snake_case camelcase kebab-case pascalcase lowercase uppercase 驼峰 下划线 大写 小写",
    "theme": "dark light 深色 浅色 暗色 亮色",
    "licence": (
        "mit apache apache-2 gpl-2 gpl-3 gplv2 gplv3 lgpl-3 agpl-3 bsd-3 bsd-2 mpl-2 gpl bsd mpl lgpl agpl"
    ),
    "zone": "utc cet est pst gmt cest edt pdt 北京时间",
    "season": "spring summer autumn fall winter 春天 夏天 秋天 冬天 春季 夏季 秋季 冬季",
    "way": "train plane bus car ferry bike tram taxi flight 火车 飞机 高铁 大巴 自驾 轮渡 地铁 打车",
    "seat": "window aisle 靠窗 靠过道",
    "coin": "dollars euros pounds yen francs roubles rupees 美元 欧元 人民币 英镑 日元",
    "bed": "double twin single suite dorm 大床 双床 单间 套间",
    "meal": "vegetarian vegan pescatarian fish meat halal kosher 素食 全素 清真",
    "wood": "oak walnut pine birch beech maple teak cherry bamboo ash 橡木 胡桃木 松木 榉木",
    "stuff": (
        "cotton wool linen silk leather steel marble granite concrete brick paper glass plastic"
        " bubble 羊毛 亚麻 真丝 大理石 玻璃 塑料"
    ),
    "hue": (
        "teal coral crimson scarlet sage ivory cream mint olive lavender violet indigo maroon"
        " gold silver bronze magenta cyan turquoise mustard burgundy charcoal rust peach off-white"
        " 米白 浅绿 深蓝 天蓝 青色 珊瑚色 米色 粉色 棕色 金色 银色 红的 蓝的 绿的 黄的 黑的 白的"
    ),
    "sport": "football tennis cooking sports gardening sailing chess 足球 网球 做菜 体育 烹饪",
    "country": (
        "germany france spain italy portugal austria switzerland sweden norway denmark finland"
        " poland netherlands belgium ireland japan china korea india canada brazil mexico"
    ),
    "city": (
        "london paris berlin madrid rome lisbon vienna zurich stockholm oslo copenhagen helsinki"
        " warsaw amsterdam brussels dublin frankfurt munich hamburg milan porto barcelona prague"
        " budapest athens tokyo seoul singapore sydney toronto chicago boston seattle bergen"
        " virginia ohio oregon"
    ),
    "ort": (
        " 北京 上海 广州 深圳 成都 杭州 南京 武汉 西安 苏州 青岛 厦门 昆明 合肥 大连 长沙 宁波"
        " 重庆 天津 济南 郑州 沈阳 福州 无锡 扬州 珠海 东京 首尔 新加坡"
        " 法兰克福 斯德哥尔摩 伦敦 巴黎 柏林 香港 台北"
    ),
    "medium": "email mail phone call letter sms text fax video 邮件 电话 短信 视频",
    "music": "chopin satie bach mozart beethoven debussy jazz rock classical pop blues 爵士 古典 摇滚 流行",
    "room": "hall lobby library café cafe office lab gym studio garage 图书馆 咖啡馆 会议室 大厅 食堂 操场",
    "drink": "coffee tea wine beer juice water 咖啡 红酒 啤酒 果汁",
}

CHOICES: dict[str, str] = {word: kind for kind, words in _LISTS.items() for word in words.split()}
"""Of which kind a name is."""
