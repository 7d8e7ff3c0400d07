<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Calibrations</name>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="35"/>
        <location filename="../widgets/models/headstatistics.cpp" line="53"/>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="35"/>
        <source>nats</source>
        <translation>纳特</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="38"/>
        <source>mean look-back</source>
        <translation>平均回看距离</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="39"/>
        <source>look-back against uniform attention</source>
        <translation>回看距离，相对均匀注意力</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="40"/>
        <source>mass on the first token (sink)</source>
        <translation>首个词元上的质量（sink）</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="41"/>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="42"/>
        <source>entropy against uniform attention</source>
        <translation>熵，相对均匀注意力</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="43"/>
        <source>concentration within the layer</source>
        <translation>层内集中度</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="44"/>
        <source>RMS of the teacher&apos;s context</source>
        <translation>教师上下文的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="45"/>
        <source>RMS of what the head adds</source>
        <translation>该头输出增量的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="46"/>
        <source>Taylor error, order 1</source>
        <translation>泰勒误差，一阶</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="47"/>
        <source>Taylor error, order 2</source>
        <translation>泰勒误差，二阶</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="48"/>
        <source>RMS of the layer&apos;s contexts</source>
        <translation>该层上下文的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="55"/>
        <source>half-life: target</source>
        <translation>半衰期：目标</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="54"/>
        <source>mean over tokens</source>
        <translation>词元平均</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="54"/>
        <source>10 % of the tokens</source>
        <translation>10 % 分位词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="54"/>
        <source>median token</source>
        <translation>中位词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="54"/>
        <source>90 % of the tokens</source>
        <translation>90 % 分位词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="57"/>
        <source>half-life: %1</source>
        <translation>半衰期：%1</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="59"/>
        <source>write strength: target</source>
        <translation>写入强度：目标</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="61"/>
        <source>write strength: %1</source>
        <translation>写入强度：%1</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="69"/>
        <source>value scale, as fitted</source>
        <translation>值缩放，拟合值</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="70"/>
        <source>value scale, as set</source>
        <translation>值缩放，设定值</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="71"/>
        <source>share of value scales at the floor</source>
        <translation>处于下限的值缩放占比</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="72"/>
        <source>share of value scales at the ceiling</source>
        <translation>处于上限的值缩放占比</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="73"/>
        <source>RMS of the student&apos;s context</source>
        <translation>学生上下文的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="74"/>
        <source>RMS of the layer&apos;s values</source>
        <translation>该层值的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="75"/>
        <source>gate as a multiple of the values</source>
        <translation>门相对值投影的倍数</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="81"/>
        <source>cosine of the contexts</source>
        <translation>上下文的余弦</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="82"/>
        <source>squared error of the layer</source>
        <translation>该层平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="83"/>
        <source>cosine of the layer&apos;s output</source>
        <translation>该层输出的余弦</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="84"/>
        <source>RMS of the layer&apos;s output against the teacher&apos;s</source>
        <translation>该层输出 RMS 与教师之比</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="85"/>
        <source>best step of phase 2</source>
        <translation>阶段二的最佳步</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="85"/>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="96"/>
        <source>change of %1</source>
        <translation>%1 的变化</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="106"/>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="107"/>
        <source>after phase 1</source>
        <translation>阶段一之后</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="108"/>
        <source>after phase 2</source>
        <translation>阶段二之后</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="109"/>
        <source>difference, end − before</source>
        <translation>差值，结束 − 之前</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="110"/>
        <source>difference by phase 1</source>
        <translation>阶段一带来的差值</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="111"/>
        <source>difference by phase 2</source>
        <translation>阶段二带来的差值</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="114"/>
        <source>at the end</source>
        <translation>结束时</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="157"/>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="158"/>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="159"/>
        <source>Write gate</source>
        <translation>写入门</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="160"/>
        <source>Amplitude</source>
        <translation>幅度</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="161"/>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="164"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/models/headstatistics.cpp" line="169"/>
        <source>%1 (%2)</source>
        <comment>statistic and unit</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="209"/>
        <source>Layer %1: %2 % of its value scales stand at the floor (heads %3): the student&apos;s values do not point where the teacher&apos;s do.</source>
        <translation>第 %1 层：%2 % 的值缩放停在下限（头 %3）：学生的值与教师的方向不一致。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="212"/>
        <source>Layer %1, heads %2: %n of them look back farther than uniform attention would. That is a sink: the half-life follows the length of the text.</source>
        <translation>
            <numerusform>第 %1 层，头 %2：%n 个头比均匀注意力回看得更远。这是 sink：半衰期随文本长度变化。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="214"/>
        <source>Layer %1, heads %2: %n contexts are so small that the output norm&apos;s eps is felt: it makes no unit RMS of them.</source>
        <translation>
            <numerusform>第 %1 层，头 %2：%n 个上下文过小，输出归一化的 eps 已起作用：归一化后 RMS 不为 1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="216"/>
        <source>Layer %1, heads %2: %n mean write strengths miss their target by more than %3.</source>
        <translation>
            <numerusform>第 %1 层，头 %2：%n 个平均写入强度偏离目标超过 %3。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="217"/>
        <source>Layer %1, heads %2: %3</source>
        <translation>第 %1 层，头 %2：%3</translation>
    </message>
</context>
<context>
    <name>FieldWords</name>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="177"/>
        <source>for example 0-3, 5</source>
        <translation>例如 0-3, 5</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="178"/>
        <source>for example %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="330"/>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="330"/>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="333"/>
        <source>one file or folder a line</source>
        <translation>每行一个文件或文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="349"/>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="350"/>
        <source>A folder of files</source>
        <translation>存放文件的文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="389"/>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="406"/>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="393"/>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="408"/>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="393"/>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="408"/>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldeditor.cpp" line="406"/>
        <source>left out</source>
        <translation>省略</translation>
    </message>
</context>
<context>
    <name>Jobs</name>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="28"/>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="38"/>
        <source>Reading the attention of a model</source>
        <translation>读取模型的注意力</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="40"/>
        <source>Scoring %1 with %2</source>
        <translation>用 %2 给 %1 评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="42"/>
        <source>Distilling %1</source>
        <translation>蒸馏 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="44"/>
        <source>Calibrating %1</source>
        <translation>正在校准 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="46"/>
        <source>Aligning %1</source>
        <translation>对齐 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="48"/>
        <source>Evaluating</source>
        <translation>评估</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="50"/>
        <source>Generating text</source>
        <translation>生成文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="52"/>
        <source>Training a teacher</source>
        <translation>训练教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="54"/>
        <source>A pipeline of stages</source>
        <translation>多阶段流水线</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="77"/>
        <source>≈ %1 left, %2</source>
        <comment>duration, time at which it ends</comment>
        <translation>剩余约 %1，%2</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="82"/>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>Measures</name>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="33"/>
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="37"/>
        <source>KL all linear (nats/token)</source>
        <translation>全线性 KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="39"/>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="41"/>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="46"/>
        <source>filler accuracy</source>
        <translation>填充词准确率</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="47"/>
        <source>hidden cosine</source>
        <translation>隐藏状态余弦</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="34"/>
        <source>KL, standard error (nats/token)</source>
        <translation>KL，标准误（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="35"/>
        <source>KL, tokens</source>
        <translation>KL，词元数</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="36"/>
        <source>held-out sequences</source>
        <translation>留出序列数</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="38"/>
        <source>cross-entropy (nats/token)</source>
        <translation>交叉熵（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="40"/>
        <source>perplexity, tokens</source>
        <translation>困惑度，词元数</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="42"/>
        <source>recall, standard error</source>
        <translation>召回率，标准误</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="43"/>
        <source>recall, passkeys</source>
        <translation>召回率，密钥数</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="45"/>
        <source>recall, token accuracy</source>
        <translation>召回率，词元准确率</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="48"/>
        <source>hidden cosine, standard error</source>
        <translation>隐藏状态余弦，标准误</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="50"/>
        <source>loss (nats)</source>
        <translation>损失（纳特）</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="51"/>
        <source>loss, standard error (nats)</source>
        <translation>损失，标准误（纳特）</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="44"/>
        <source>recall, sequences</source>
        <translation>召回率，留出序列数</translation>
    </message>
    <message>
        <location filename="../core/experiment/shownnames.cpp" line="49"/>
        <source>hidden cosine, sequences</source>
        <translation>隐藏状态余弦，留出序列数</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <location filename="../widgets/views/names.cpp" line="21"/>
        <source>biases on queries, keys and values</source>
        <translation>查询、键和值带偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="22"/>
        <source>bias after attention</source>
        <translation>注意力输出带偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="23"/>
        <source>norms on queries and keys</source>
        <translation>查询和键带归一化</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="24"/>
        <source>rotary positions</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="25"/>
        <source>scaled rotary positions</source>
        <translation>缩放的旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="26"/>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="27"/>
        <source>grouped queries</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="28"/>
        <source>head width other than D/H</source>
        <translation>头宽度不等于 D/H</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="47"/>
        <source>How close to the teacher the student with this one softmax layer comes after a short distillation</source>
        <translation>仅保留该 softmax 层的学生模型经短蒸馏后与教师的接近程度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="48"/>
        <source>GR-S2 (short distillation of the others)</source>
        <translation>GR-S2（短蒸馏其余各层）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="48"/>
        <source>How far from the teacher the student with this one linear layer stays after a short distillation</source>
        <translation>仅有该线性层的学生模型经短蒸馏后与教师的差距</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="49"/>
        <source>AVG-S2 (mean of both ranks)</source>
        <translation>AVG-S2（两种名次的均值）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="49"/>
        <source>The mean of a layer&apos;s ranks by GA-S2 and by GR-S2</source>
        <translation>该层在 GA-S2 与 GR-S2 中名次的均值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="50"/>
        <source>exhaustive</source>
        <translation>穷举</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="50"/>
        <source>exhaustive search</source>
        <translation>穷举搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="50"/>
        <source>Every set of so many layers, each distilled a short while: the truth that the others approximate, for small models</source>
        <translation>对给定大小的每个集合都做短蒸馏：其他方法所近似的真值，适用于小模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="51"/>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="51"/>
        <source>greedy replacement</source>
        <translation>贪心替换</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="51"/>
        <source>Makes the layer linear that hurts least beside those before it, one after another; what goes last is kept first</source>
        <translation>逐层替换为线性层，每次选在已替换层之外损害最小的一层；最后被替换的最先保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>beam search over sets</source>
        <translation>集合上的束搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>Adds one softmax layer at a time to the best few sets so far, each measured as a whole, as PostNAS does</source>
        <translation>每次向目前最好的几个集合各加一个 softmax 层，并整体测量，做法同 PostNAS</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="53"/>
        <source>gates</source>
        <translation>门控</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="53"/>
        <source>gates (only they are trained)</source>
        <translation>门控（仅训练门控）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="53"/>
        <source>Whether a layer&apos;s gate between softmax and linear attention stays open when only the gates are trained, as in FlashMorph and DASH</source>
        <translation>仅训练门控时，该层在 softmax 与线性注意力之间的门是否保持打开，做法同 FlashMorph 和 DASH</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>zero-shot GA</source>
        <translation>零样本 GA</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>zero-shot GA (no training)</source>
        <translation>零样本 GA（不训练）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>How much the layer helps as the only softmax layer, without training after stage 1</source>
        <translation>第一阶段后不再训练，该层作为唯一 softmax 层的帮助</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="55"/>
        <source>zero-shot GR</source>
        <translation>零样本 GR</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="55"/>
        <source>zero-shot GR (no training)</source>
        <translation>零样本 GR（不训练）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="55"/>
        <source>How much harm the layer does as the only linear layer, without training after stage 1</source>
        <translation>第一阶段后不再训练，该层作为唯一线性层的损害</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="56"/>
        <source>GA-S1 (stage-1 residual)</source>
        <translation>GA-S1（第一阶段残差）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="56"/>
        <source>What stage 1 could not imitate of the layer&apos;s attention: a first look</source>
        <translation>第一阶段未能模仿的该层注意力：初步结果</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="57"/>
        <source>GR-S1 (stage-1 residual)</source>
        <translation>GR-S1（第一阶段残差）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="57"/>
        <source>The same as GA-S1: stage 1 gives every layer the teacher&apos;s own input</source>
        <translation>与 GA-S1 相同：第一阶段给每一层的都是教师自己的输入</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="58"/>
        <source>PPL bypass</source>
        <translation>PPL 旁路</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="58"/>
        <source>PPL bypass (attention zeroed)</source>
        <translation>PPL 旁路（注意力置零）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="58"/>
        <source>How much the teacher&apos;s perplexity rises without the layer&apos;s attention</source>
        <translation>去掉该层注意力后教师困惑度的上升</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="59"/>
        <source>KL bypass</source>
        <translation>KL 旁路</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="59"/>
        <source>KL bypass (attention zeroed)</source>
        <translation>KL 旁路（注意力置零）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="59"/>
        <source>How far the teacher&apos;s predictions move, in KL, without the layer&apos;s attention</source>
        <translation>去掉该层注意力后教师预测的变化（KL）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="60"/>
        <source>MSE bypass</source>
        <translation>MSE 旁路</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="60"/>
        <source>MSE bypass (attention zeroed)</source>
        <translation>MSE 旁路（注意力置零）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="60"/>
        <source>How far the final hidden states move, in squared error, without the layer&apos;s attention</source>
        <translation>去掉该层注意力后最终隐藏状态的变化（平方误差）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="61"/>
        <source>AR (associative recall)</source>
        <translation>AR（联想召回）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="61"/>
        <source>How many answers on sums of looked-up digits the teacher loses without the layer&apos;s attention</source>
        <translation>去掉该层注意力后，教师在查表数字求和题上丢失的答案</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="62"/>
        <source>AR-MH (multi-hop recall)</source>
        <translation>AR-MH（多跳召回）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="62"/>
        <source>The same with words that name earlier words, so that a look-up takes several hops</source>
        <translation>同上，但词可指向更早的词，查找需要多跳</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="63"/>
        <source>HALO (recall against the rest)</source>
        <translation>HALO（召回与其余之比）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="63"/>
        <source>How much recall, and how little else, the layer costs as the only linear layer</source>
        <translation>该层作为唯一线性层时损失多少召回、多少其他能力</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="64"/>
        <source>LightTransfer (laziness)</source>
        <translation>LightTransfer（惰性）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="64"/>
        <source>How little the layer&apos;s last queries look at the first and the most recent tokens alone</source>
        <translation>该层最后的查询有多少不止看最前和最近的词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="84"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="85"/>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="86"/>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="87"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="88"/>
        <source>Type of activations</source>
        <translation>激活值类型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="89"/>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="90"/>
        <source>Checkpoint every</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="91"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="92"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="93"/>
        <source>Linear mixer</source>
        <translation>线性混合器</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="94"/>
        <source>Mixer</source>
        <translation>混合器</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="95"/>
        <source>Heads widened by</source>
        <translation>头的扩展方式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="96"/>
        <source>Mixer&apos;s options</source>
        <translation>混合器选项</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="97"/>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="98"/>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="99"/>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="100"/>
        <source>Held-out files</source>
        <translation>留出文件</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="101"/>
        <source>Share held out</source>
        <translation>留出比例</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="102"/>
        <source>Held-out sequences</source>
        <translation>留出序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="103"/>
        <source>Field of the text</source>
        <translation>文本字段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="104"/>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="105"/>
        <source>Isolate documents</source>
        <translation>隔离文档</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="106"/>
        <source>Recall task</source>
        <translation>召回任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="107"/>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="108"/>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="109"/>
        <source>Fillers</source>
        <translation>填充符号</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="110"/>
        <source>Pairs in a sequence</source>
        <translation>每个序列的键值对</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="111"/>
        <source>Chance of a query</source>
        <translation>查询的概率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="112"/>
        <source>Shortest run of fillers</source>
        <translation>最短填充段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="113"/>
        <source>Longest run of fillers</source>
        <translation>最长填充段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="114"/>
        <source>Chance of the likelier filler</source>
        <translation>较可能填充的概率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="115"/>
        <source>Seed of the fillers</source>
        <translation>填充的种子</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="116"/>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="117"/>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="118"/>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="119"/>
        <source>Micro-batch (0: whole batch)</source>
        <translation>微批次（0：整个批次）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="120"/>
        <source>Learning-rate schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="121"/>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="122"/>
        <source>Last learning rate, as a share</source>
        <translation>最后学习率的比例</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="123"/>
        <source>Share of steps that decay</source>
        <translation>衰减步数比例</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="124"/>
        <source>Gradient norm clipped at (0: not)</source>
        <translation>梯度范数裁剪（0：不裁剪）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="125"/>
        <source>AdamW β₁</source>
        <translation>AdamW β₁</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="126"/>
        <source>AdamW β₂</source>
        <translation>AdamW β₂</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="127"/>
        <source>AdamW ε</source>
        <translation>AdamW ε</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="128"/>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="129"/>
        <source>Recompute blocks in backward</source>
        <translation>反向时重新计算块</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="130"/>
        <source>Layers (empty: all)</source>
        <translation>层（为空：全部）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="131"/>
        <source>Distance of outputs</source>
        <translation>输出的距离</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="132"/>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="133"/>
        <source>Start from</source>
        <translation>起始于</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="134"/>
        <source>Stage 1</source>
        <translation>第一阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="135"/>
        <source>Data of stage 1</source>
        <translation>第一阶段的数据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="136"/>
        <source>Memory of the KL (0: by size)</source>
        <translation>KL 的内存（0：按大小）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="137"/>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="138"/>
        <source>Weight of cross-entropy</source>
        <translation>交叉熵权重</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="139"/>
        <source>Weight of reverse KL</source>
        <translation>反向 KL 权重</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="140"/>
        <source>Learning rate, fast group</source>
        <translation>学习率（快速组）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="141"/>
        <source>Learning rate, the rest</source>
        <translation>学习率（其余）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="142"/>
        <source>Fast group</source>
        <translation>快速组</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="143"/>
        <source>What trains</source>
        <translation>训练什么</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="144"/>
        <source>Evaluations</source>
        <translation>评估次数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="145"/>
        <source>Evaluate at tokens</source>
        <translation>在这些词元数评估</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="146"/>
        <source>Layers L</source>
        <translation>层数 L</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="147"/>
        <source>Hidden size D</source>
        <translation>隐藏维度 D</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="148"/>
        <source>Query heads H</source>
        <translation>查询头数 H</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="149"/>
        <source>Key/value heads</source>
        <translation>键/值头数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="150"/>
        <source>Head width</source>
        <translation>头宽度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="151"/>
        <source>MLP width</source>
        <translation>MLP 宽度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="152"/>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="153"/>
        <source>Rotary base θ</source>
        <translation>旋转底数 θ</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="154"/>
        <source>Biases on Q, K, V</source>
        <translation>Q、K、V 的偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="155"/>
        <source>Head tied to embedding</source>
        <translation>输出头与嵌入绑定</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="156"/>
        <source>Start as local heads</source>
        <translation>以局部头开始</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="157"/>
        <source>Retrieval layer</source>
        <translation>检索层</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="158"/>
        <source>Peak of local heads</source>
        <translation>局部头的峰值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="159"/>
        <source>Curriculum</source>
        <translation>课程</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="160"/>
        <source>Grow the task</source>
        <translation>逐步加大任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="161"/>
        <source>Pairs at the start</source>
        <translation>开始时的键值对</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="162"/>
        <source>Recall that grows it</source>
        <translation>触发增长的召回率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="163"/>
        <source>Growth</source>
        <translation>增长倍数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="164"/>
        <source>Weight of the past</source>
        <translation>过去的权重</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="165"/>
        <source>Length at the start</source>
        <translation>开始时的长度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="166"/>
        <source>Tokens in a step</source>
        <translation>一步的词元数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="167"/>
        <source>Stopping</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="168"/>
        <source>Recall that is enough</source>
        <translation>足够的召回率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="169"/>
        <source>Steps after that</source>
        <translation>此后的步数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="170"/>
        <source>Measure every</source>
        <translation>测量间隔</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="171"/>
        <source>Restart at (0: never)</source>
        <translation>在此步重新开始（0：从不）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="172"/>
        <source>Restarts, at most</source>
        <translation>最多重新开始次数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="173"/>
        <source>Weight of unknowable tokens</source>
        <translation>不可预知词元的权重</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="174"/>
        <source>Attention statistics</source>
        <translation>注意力统计</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="175"/>
        <source>File of token ids</source>
        <translation>词元 id 文件</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="176"/>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="177"/>
        <source>Start by</source>
        <translation>起始方式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="178"/>
        <source>Phase 1</source>
        <translation>阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="179"/>
        <source>First keys left out</source>
        <translation>略去的前几个键</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="180"/>
        <source>Decay from look-back by</source>
        <translation>由回看距离得衰减</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="181"/>
        <source>Cap on the look-back (0: none)</source>
        <translation>回看上限（0：无）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="182"/>
        <source>Correct the mean decay</source>
        <translation>校正平均衰减</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="183"/>
        <source>Write gate set by</source>
        <translation>写入门的设置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="184"/>
        <source>Least write strength β</source>
        <translation>最小写入强度 β</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="185"/>
        <source>Most write strength β</source>
        <translation>最大写入强度 β</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="186"/>
        <source>Least spread of entropies</source>
        <translation>最小熵差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="187"/>
        <source>Fit values with 1/√d</source>
        <translation>以 1/√d 拟合值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="188"/>
        <source>Least factor on values</source>
        <translation>值的最小倍数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="189"/>
        <source>Most factor on values</source>
        <translation>值的最大倍数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="190"/>
        <source>Output gate from</source>
        <translation>输出门取自</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="191"/>
        <source>Amplitude of the gate</source>
        <translation>门的幅度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="192"/>
        <source>Mean of RMS</source>
        <translation>RMS 的均值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="193"/>
        <source>Set decays</source>
        <translation>设置衰减</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="194"/>
        <source>Set write gates</source>
        <translation>设置写入门</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="195"/>
        <source>Scale values</source>
        <translation>缩放值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="196"/>
        <source>Set output gates</source>
        <translation>设置输出门</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="197"/>
        <source>Phase 2</source>
        <translation>阶段二</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="198"/>
        <source>Learning rate, copied parts</source>
        <translation>学习率（复制部分）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="199"/>
        <source>Learning rate, gates and decays</source>
        <translation>学习率（门与衰减）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="200"/>
        <source>Learning rate, output</source>
        <translation>学习率（输出）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="201"/>
        <source>Weight decay on decays too</source>
        <translation>衰减也用权重衰减</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="202"/>
        <source>Best weights after the update</source>
        <translation>更新之后的最佳权重</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="203"/>
        <source>Patience (0: never stops)</source>
        <translation>耐心（0：从不停止）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="204"/>
        <source>Least improvement</source>
        <translation>最小改进</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="205"/>
        <source>Selector</source>
        <translation>选择器</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="206"/>
        <source>Score all-linear too</source>
        <translation>也为全线性评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="207"/>
        <source>Students in lock-step (0: by memory)</source>
        <translation>同步的学生数（0：按内存）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="208"/>
        <source>Early stop</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="209"/>
        <source>Stop when it is sure</source>
        <translation>确定时停止</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="210"/>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="211"/>
        <source>Chance of an error</source>
        <translation>出错概率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="212"/>
        <source>Small changes in a row</source>
        <translation>连续小变化次数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="213"/>
        <source>Values of K wanted</source>
        <translation>需要的 K 值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="214"/>
        <source>Laziness</source>
        <translation>惰性</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="215"/>
        <source>Gates</source>
        <translation>门控</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="216"/>
        <source>Beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="217"/>
        <source>Softmax layers</source>
        <translation>softmax 层</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="218"/>
        <source>or their number K</source>
        <translation>或其数目 K</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="219"/>
        <source>or K in percent</source>
        <translation>或 K 的百分比</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="220"/>
        <source>Scores that choose</source>
        <translation>用于选择的分数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="221"/>
        <source>Measures</source>
        <translation>测量项</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="222"/>
        <source>Window (0: by model)</source>
        <translation>窗口（0：按模型）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="223"/>
        <source>Stride (0: window)</source>
        <translation>步幅（0：窗口）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="224"/>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="225"/>
        <source>Top k (0: all)</source>
        <translation>Top k（0：全部）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="226"/>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="227"/>
        <source>As a chat</source>
        <translation>作为聊天</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="228"/>
        <source>Ignore end of text</source>
        <translation>忽略文本结束</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="229"/>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="230"/>
        <source>Name of the stage</source>
        <translation>阶段名称</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="231"/>
        <location filename="../widgets/views/names.cpp" line="264"/>
        <source>Measured by</source>
        <translation>测量依据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="232"/>
        <source>First layers ranked last</source>
        <translation>排在最后的首层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="233"/>
        <source>Softmax layers in a set</source>
        <translation>集合中的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="234"/>
        <source>At most so many sets</source>
        <translation>集合数上限</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="235"/>
        <source>Softmax layers left at the end</source>
        <translation>最后留下的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="236"/>
        <source>Prompts</source>
        <translation>提示数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="237"/>
        <source>Words in a prompt</source>
        <translation>每个提示的词数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="238"/>
        <source>Tokens of an answer, at most</source>
        <translation>答案词元上限</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="239"/>
        <source>An answer is right by</source>
        <translation>答案判对依据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="240"/>
        <source>Form of the residual</source>
        <translation>残差的形式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="241"/>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="242"/>
        <source>Calibration sequences</source>
        <translation>校准序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="243"/>
        <source>Tokens of the maps (0: none)</source>
        <translation>映射图的词元数（0：不保存）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="244"/>
        <source>Measure Taylor errors</source>
        <translation>测量泰勒误差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="246"/>
        <source>Laziness of a layer</source>
        <translation>层的惰性</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="247"/>
        <source>K that frequency is counted for</source>
        <translation>频率所用的 K</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="248"/>
        <source>Last queries looked at</source>
        <translation>考察的最后查询数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="249"/>
        <source>First tokens of a lazy layer</source>
        <translation>惰性层的最前词元数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="250"/>
        <source>Recent tokens of a lazy layer (0: by length)</source>
        <translation>惰性层的最近词元数（0：按长度）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="251"/>
        <source>Gate made by</source>
        <translation>门的形式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="252"/>
        <source>Gates start at</source>
        <translation>门的初值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="253"/>
        <source>Pull towards linear</source>
        <translation>趋向线性的强度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="254"/>
        <location filename="../widgets/views/names.cpp" line="269"/>
        <source>Hidden states to keep</source>
        <translation>要保持的隐藏状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="255"/>
        <source>Learning rate of the gates</source>
        <translation>门的学习率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="256"/>
        <source>Trained on</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="257"/>
        <source>Passkeys in a sequence</source>
        <translation>每个序列的密钥数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="258"/>
        <source>Passkeys asked for (0: all)</source>
        <translation>提问的密钥数（0：全部）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="259"/>
        <source>Digits of a passkey</source>
        <translation>密钥位数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="260"/>
        <source>Count the answers only</source>
        <translation>只计答案</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="261"/>
        <source>Trainings</source>
        <translation>训练次数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="262"/>
        <source>Sets that stay from size to size</source>
        <translation>每个大小保留的集合数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="263"/>
        <source>Largest K searched</source>
        <translation>搜索的最大 K</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="265"/>
        <source>Steps of the supernet (0: none)</source>
        <translation>超网步数（0：无）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="266"/>
        <source>Learning rate of the supernet</source>
        <translation>超网学习率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="267"/>
        <source>Layers of a supernet step</source>
        <translation>超网每步的层</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="268"/>
        <source>Chance of a softmax layer</source>
        <translation>softmax 层的概率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="277"/>
        <source>uniform, from the first layer</source>
        <translation>均匀，从首层起</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="278"/>
        <source>uniform, to the last layer</source>
        <translation>均匀，至末层止</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="279"/>
        <source>uniform, both ends</source>
        <translation>均匀，含两端</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="280"/>
        <source>uniform, latter half</source>
        <translation>均匀，后半部分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="306"/>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="332"/>
        <source>KL to the teacher</source>
        <translation>与教师的 KL</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="332"/>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="332"/>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="333"/>
        <source>its first number</source>
        <translation>其中第一个数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="333"/>
        <source>the sum anywhere in it</source>
        <translation>任意位置出现和</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="333"/>
        <source>as in the paper</source>
        <translation>同论文</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="334"/>
        <source>as in its code</source>
        <translation>同其代码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="334"/>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="334"/>
        <source>how often among the laziest</source>
        <translation>属于最惰层的频率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="335"/>
        <source>clamping</source>
        <translation>截断</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="335"/>
        <source>sigmoid</source>
        <translation>sigmoid</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="335"/>
        <source>softmax of two (DASH)</source>
        <translation>二元 softmax（DASH）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="336"/>
        <source>after the last layer</source>
        <translation>末层之后</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="336"/>
        <source>after every layer</source>
        <translation>每层之后</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="336"/>
        <source>passkeys hidden in the texts</source>
        <translation>藏在文本中的密钥</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="337"/>
        <source>measured best</source>
        <translation>实测最佳</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="337"/>
        <source>in the published code</source>
        <translation>与已发表代码相同</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="338"/>
        <source>the texts alone</source>
        <translation>仅文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="338"/>
        <source>uniform in size</source>
        <translation>大小均匀</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="338"/>
        <source>each by itself</source>
        <translation>各层独立</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="339"/>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="339"/>
        <source>whole heads</source>
        <translation>整个头</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="339"/>
        <source>single rows (published code)</source>
        <translation>单行（已发表代码）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="340"/>
        <source>recall task</source>
        <translation>召回任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="340"/>
        <source>texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="340"/>
        <source>token ids</source>
        <translation>词元 id</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="341"/>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="341"/>
        <source>constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="341"/>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="342"/>
        <source>constant, then linear</source>
        <translation>先恒定后线性</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="342"/>
        <source>relative squared error</source>
        <translation>相对平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="342"/>
        <source>RMS (published code)</source>
        <translation>RMS（已发表代码）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="343"/>
        <source>squared error (paper)</source>
        <translation>平方误差（论文）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="343"/>
        <source>mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="343"/>
        <source>RMS, scaled</source>
        <translation>RMS（缩放）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="344"/>
        <source>the linear mixers</source>
        <translation>线性混合器</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="344"/>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="344"/>
        <source>linear mixers alone</source>
        <translation>仅线性混合器</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="345"/>
        <source>half-life</source>
        <translation>半衰期</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="345"/>
        <source>mean lag</source>
        <translation>平均滞后</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="345"/>
        <source>its mean on the data</source>
        <translation>其在数据上的均值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="346"/>
        <source>row scale (published)</source>
        <translation>行缩放（已发表）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="346"/>
        <source>as it was drawn</source>
        <translation>保持抽取时的样子</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="346"/>
        <source>the value projection</source>
        <translation>值投影</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="346"/>
        <source>a bias of its own</source>
        <translation>自有的偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="347"/>
        <source>race of paired tests</source>
        <translation>成对检验竞速</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="347"/>
        <source>stable sets</source>
        <translation>稳定的集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="347"/>
        <source>cosine of hidden states</source>
        <translation>隐状态的余弦</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="358"/>
        <source>Demo teacher</source>
        <translation>演示教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="363"/>
        <source>no student</source>
        <translation>无学生模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="47"/>
        <source>GA-S2 (short distillation)</source>
        <translation>GA-S2（短蒸馏）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="245"/>
        <source>All other settings, as</source>
        <translation>其余设置依照</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="368"/>
        <location filename="../widgets/views/names.cpp" line="375"/>
        <location filename="../widgets/views/names.cpp" line="410"/>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="368"/>
        <source>%1 · probe %2</source>
        <translation>%1 · 探针 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="376"/>
        <source>SMART of %1 · %2</source>
        <translation>SMART（%1 · %2）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="378"/>
        <source>random (seed %1)</source>
        <translation>随机（种子 %1）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="379"/>
        <source>published %1 · %2</source>
        <translation>已发表 %1 · %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="382"/>
        <source>your set by hand</source>
        <translation>您的手工集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="391"/>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="392"/>
        <source>published</source>
        <translation>已发表</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="395"/>
        <source>by hand</source>
        <translation>手工</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="400"/>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="405"/>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="418"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="424"/>
        <source>naive copy</source>
        <translation>直接复制</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="424"/>
        <source>closed gate</source>
        <translation>门关闭</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="424"/>
        <source>all but closed gate</source>
        <translation>门几乎关闭</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="425"/>
        <source>phase 1</source>
        <translation>阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="425"/>
        <source>phase 2 alone</source>
        <translation>仅阶段二</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="425"/>
        <source>phases 1 and 2</source>
        <translation>阶段一和二</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="437"/>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="439"/>
        <source>residuals on the held-out texts</source>
        <translation>留出文本上的残差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="442"/>
        <source>zeroing one attention at a time</source>
        <translation>逐层将注意力置零</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="443"/>
        <source>answering without one attention at a time</source>
        <translation>逐层去掉注意力后作答</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="444"/>
        <source>recall with one linear layer at a time</source>
        <translation>逐层换为线性后的召回率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="445"/>
        <source>replacing layer after layer</source>
        <translation>逐层替换</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="446"/>
        <source>laziness of the layers</source>
        <translation>各层的惰性</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="447"/>
        <source>training the supernet</source>
        <translation>训练超网</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="449"/>
        <source>phase 1: reading the attention</source>
        <translation>阶段一：读取注意力</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="448"/>
        <source>reading the attention</source>
        <translation>读取注意力</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="451"/>
        <source>measuring the student as a whole</source>
        <translation>测量整个学生模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="450"/>
        <source>phase 2: aligning every layer</source>
        <translation>阶段二：逐层对齐</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="452"/>
        <source>Taylor errors</source>
        <translation>泰勒误差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="453"/>
        <source>maps of the heads</source>
        <translation>各头的映射图</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="436"/>
        <source>packing the texts</source>
        <translation>打包文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="438"/>
        <source>stage 1</source>
        <translation>第一阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="440"/>
        <source>stage 2</source>
        <translation>第二阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="441"/>
        <source>zero-shot scores</source>
        <translation>零样本评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="460"/>
        <source>training the gates, run %1</source>
        <translation>训练门控，第 %1 次</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="462"/>
        <source>sets of %1 layers</source>
        <translation>%1 层的集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="464"/>
        <source>training every candidate</source>
        <translation>训练每个候选</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="473"/>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="86"/>
        <source>Quick look</source>
        <translation>快速查看</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="86"/>
        <source>As published</source>
        <translation>按已发表设置</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="88"/>
        <source>Which layers matter, within minutes: no training after a stage 1 of 200 k tokens, 16 held-out sequences.</source>
        <translation>几分钟内看出哪些层重要：第一阶段 200 k 词元之后不再训练，16 个留出序列。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="89"/>
        <source>Short distillation</source>
        <translation>短蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="89"/>
        <source>GA-S2 on 100 k tokens for each layer after a stage 1 of 200 k: what the short dialog starts with.</source>
        <translation>第一阶段 200 k 词元之后，每层用 100 k 词元做 GA-S2：简短对话框的初始设置。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="90"/>
        <source>GA-S2 with the lengths and learning rates of its published code: stage 1 on 100 M tokens, 200 M for each layer. Days on GPUs.</source>
        <translation>GA-S2，采用其已发表代码的长度和学习率：第一阶段 100 M 词元，每层 200 M。在 GPU 上需数天。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="91"/>
        <source>Whether the hybrid works at all: stage 1 on 200 k tokens, stage 2 on 100 k.</source>
        <translation>混合模型是否可行：第一阶段 200 k 词元，第二阶段 100 k。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="92"/>
        <source>The lengths and learning rates of the published code: stage 1 on 100 M tokens, stage 2 on 600 M.</source>
        <translation>已发表代码的长度和学习率：第一阶段 100 M 词元，第二阶段 600 M。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="93"/>
        <source>Phase 1 alone: a closed form, read off the teacher within seconds.</source>
        <translation>仅阶段一：闭式，几秒内从教师读出。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="94"/>
        <source>What the published code does, its scattered rows and its 4 sequences of 256 tokens included: only to reproduce it.</source>
        <translation>已发表代码的做法，包括其分散的行和 4 个 256 词元的序列：仅用于复现。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="96"/>
        <source>Stage 1 on 200 k tokens: how well each layer can be imitated.</source>
        <translation>第一阶段 200 k 词元：每层能被模仿得多好。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="97"/>
        <source>The published stage 1: 100 M tokens in sequences of 512, RMS distance.</source>
        <translation>已发表的第一阶段：100 M 词元，序列长 512，RMS 距离。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="98"/>
        <source>16 held-out sequences: enough to see what is broken.</source>
        <translation>16 个留出序列：足以看出哪里有问题。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="99"/>
        <source>Zero-shot scores, then a short distillation of the hybrid that keeps the best quarter of the layers.</source>
        <translation>先零样本评分，再对保留最佳四分之一层的混合模型做短蒸馏。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="172"/>
        <source>Your own: %1</source>
        <translation>您自己的：%1</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="175"/>
        <source>The preset %1 cannot be read: %2</source>
        <translation>无法读取预设 %1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="191"/>
        <source>The preset cannot be written to %1: check the folder&apos;s permissions and the room on its disk.</source>
        <translation>无法将预设写入 %1：请检查文件夹权限和磁盘空间。</translation>
    </message>
    <message>
        <location filename="../widgets/models/specpresets.cpp" line="202"/>
        <source>The preset %1 cannot be deleted: check the folder&apos;s permissions.</source>
        <translation>无法删除预设 %1：请检查文件夹权限。</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <location filename="../app/main.cpp" line="51"/>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="51"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="51"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="51"/>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="52"/>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="52"/>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="52"/>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="52"/>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
</context>
<context>
    <name>Quantities</name>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="23"/>
        <location filename="../widgets/views/quantities.cpp" line="38"/>
        <source>%1 G</source>
        <translation>%1 G</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="25"/>
        <location filename="../widgets/views/quantities.cpp" line="38"/>
        <source>%1 M</source>
        <translation>%1 M</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="27"/>
        <location filename="../widgets/views/quantities.cpp" line="38"/>
        <source>%1 k</source>
        <translation>%1 k</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="45"/>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="47"/>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="48"/>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <location filename="../widgets/views/quantities.cpp" line="82"/>
        <source>%1 %2</source>
        <comment>number and unit</comment>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>Spec</name>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="128"/>
        <source>A name for people.</source>
        <translation>给人看的名称。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="129"/>
        <source>Notes for people.</source>
        <translation>给人看的备注。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="130"/>
        <source>Threads of the tensor library; one is best beside other work.</source>
        <translation>张量库的线程数；同时做其他工作时一个最好。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="131"/>
        <source>Where to compute: auto, cpu, cuda or cuda:N.</source>
        <translation>在哪里计算：auto、cpu、cuda 或 cuda:N。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="132"/>
        <source>Type of activations; auto is float32 on the CPU and bfloat16 on CUDA.</source>
        <translation>激活值的类型；auto 在 CPU 上为 float32，在 CUDA 上为 bfloat16。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="133"/>
        <source>Every random number of the run follows from it.</source>
        <translation>本次运行的所有随机数都由它决定。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="134"/>
        <source>A checkpoint is written when this much time has passed since the last one.</source>
        <translation>距上一个检查点经过这么长时间后写入新的检查点。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="140"/>
        <location filename="../core/experiment/kinds.cpp" line="301"/>
        <source>A model&apos;s folder or GGUF file, a run that made one model, an artifact&apos;s key, or &quot;demo&quot;.</source>
        <translation>模型的文件夹或 GGUF 文件、产生了唯一模型的运行、产物的键，或 “demo”。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="146"/>
        <source>The linear token mixer, e.g. gdn or gla.</source>
        <translation>线性词元混合器，例如 gdn 或 gla。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="147"/>
        <source>How teacher K/V heads are widened: whole heads, or single rows as two public code bases do (only to reproduce them).</source>
        <translation>教师的 K/V 头如何扩展：按整个头，或像两个公开代码库那样按单行（仅用于复现它们）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="148"/>
        <source>The mixer&apos;s own options.</source>
        <translation>混合器自己的选项。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="149"/>
        <source>The student&apos;s linear layer.</source>
        <translation>学生的线性层。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="155"/>
        <source>Key symbols.</source>
        <translation>键符号。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="156"/>
        <source>Value symbols.</source>
        <translation>值符号。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="157"/>
        <source>Filler symbols of the Markov chain.</source>
        <translation>马尔可夫链的填充符号。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="158"/>
        <source>Key-value pairs in one sequence.</source>
        <translation>一个序列中的键值对数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="159"/>
        <source>Chance that a query follows rather than a run of fillers.</source>
        <translation>接下来是查询而不是一段填充的概率。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="160"/>
        <source>Shortest run of fillers.</source>
        <translation>最短的一段填充。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="161"/>
        <source>Longest run of fillers.</source>
        <translation>最长的一段填充。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="162"/>
        <source>Chance of the likelier of a filler&apos;s two successors.</source>
        <translation>填充符号的两个后继中较可能者的概率。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="163"/>
        <source>Draws the chain of fillers; the same for a teacher and its students.</source>
        <translation>用于抽取填充链；教师与其学生相同。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="164"/>
        <source>The synthetic recall task.</source>
        <translation>合成的召回任务。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="170"/>
        <source>Synthetic recall sequences, text files, or files of token ids.</source>
        <translation>合成的召回序列、文本文件或词元 id 文件。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="171"/>
        <source>Text, JSONL or token files, or folders of them.</source>
        <translation>文本、JSONL 或词元文件，或存放它们的文件夹。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="172"/>
        <source>Files to measure on; empty: documents are held out by hash.</source>
        <translation>用于测量的文件；为空：按哈希留出文档。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="173"/>
        <source>Share of documents held out when no files are named.</source>
        <translation>未指定文件时留出的文档比例。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="174"/>
        <source>Size of the fixed, paired held-out set.</source>
        <translation>固定且成对的留出集大小。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="175"/>
        <source>The field of a JSONL line that holds the text.</source>
        <translation>JSONL 行中存放文本的字段。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="176"/>
        <source>Tokens in one sequence.</source>
        <translation>一个序列中的词元数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="177"/>
        <source>Documents packed into one sequence do not see each other.</source>
        <translation>打包进同一序列的文档彼此不可见。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="179"/>
        <source>What to train and measure on.</source>
        <translation>用什么数据训练和测量。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="191"/>
        <source>Optimizer steps (or give tokens).</source>
        <translation>优化器步数（或给出词元数）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="191"/>
        <source>Optimizer steps (or give tokens); 0: measure the hybrid as its start makes it.</source>
        <translation>优化器步数（或给出词元数）；0：按起始状态测量混合模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="192"/>
        <source>Instead of steps: training tokens, rounded down to whole steps.</source>
        <translation>代替步数：训练词元数，向下取整到整步。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="193"/>
        <source>Sequences in one optimizer step.</source>
        <translation>一个优化器步中的序列数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="194"/>
        <source>Sequences in one forward pass, gradients are accumulated; 0: the whole batch.</source>
        <translation>一次前向中的序列数，梯度会累积；0：整个批次。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="195"/>
        <source>Learning rate over the steps; wsd: constant, then linear decay.</source>
        <translation>学习率随步数的变化；wsd：先恒定，再线性衰减。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="196"/>
        <source>Linear warm-up.</source>
        <translation>线性预热。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="197"/>
        <source>Last learning rate as a share of the first.</source>
        <translation>最后的学习率占最初的比例。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="198"/>
        <source>Share of the steps that decay (wsd only).</source>
        <translation>衰减步数所占比例（仅 wsd）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="199"/>
        <source>Gradient norm above which gradients are scaled down; 0: no clipping.</source>
        <translation>梯度范数超过它时缩小梯度；0：不裁剪。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="200"/>
        <location filename="../core/experiment/kinds.cpp" line="201"/>
        <location filename="../core/experiment/kinds.cpp" line="202"/>
        <source>AdamW.</source>
        <translation>AdamW。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="203"/>
        <source>AdamW; never on decays, their biases and norms.</source>
        <translation>AdamW；从不用于衰减、其偏置和归一化。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="204"/>
        <source>Compute each block again in backward instead of keeping its activations: less memory, same numbers.</source>
        <translation>反向时重新计算每个块而不保留激活值：内存更少，数值相同。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="211"/>
        <source>Layers to align; empty: all.</source>
        <translation>要对齐的层；为空：全部。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="212"/>
        <source>Distance between teacher and student attention outputs, per layer.</source>
        <translation>每层教师与学生注意力输出之间的距离。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="213"/>
        <source>Of the student mixers.</source>
        <translation>学生混合器的。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="223"/>
        <source>What stage 1 trains on; left out: the same as the rest.</source>
        <translation>第一阶段 的训练数据；省略：与其余部分相同。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="225"/>
        <source>Stage 1, when no init is given.</source>
        <translation>未给出 init 时的第一阶段。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="226"/>
        <source>Mixers to start from, as an align or calibrate stage leaves them: a run, its artifact&apos;s key or the beginning of it, or stage:TASK; left out: stage 1 is part of this run.</source>
        <translation>起始的混合器，由 align 或 calibrate 阶段留下：一次运行、其产物的键或键的开头，或 stage:TASK；省略：第一阶段 是本次运行的一部分。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="232"/>
        <source>Memory of the distillation loss: the gradients it makes and the logits of one slice of tokens; 0: the gradients and 256 MiB.</source>
        <translation>蒸馏损失的内存：其产生的梯度和一片词元的 logits；0：梯度加 256 MiB。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="238"/>
        <source>Of both softmaxes in the KL; the loss carries its square.</source>
        <translation>KL 中两个 softmax 的温度；损失乘以其平方。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="239"/>
        <source>Weight of next-token cross-entropy.</source>
        <translation>下一个词元交叉熵的权重。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="240"/>
        <source>Weight of KL(student ‖ teacher).</source>
        <translation>KL(学生 ‖ 教师) 的权重。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="241"/>
        <source>Of the fast group.</source>
        <translation>快速组的。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="242"/>
        <source>Of everything else that trains.</source>
        <translation>其余所有训练参数的。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="243"/>
        <source>What the fast group holds: the linear mixers, or as published every attention and its norm.</source>
        <translation>快速组包含什么：线性混合器，或如已发表的那样包含所有注意力及其归一化。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="244"/>
        <source>Train everything, or the linear mixers alone.</source>
        <translation>训练全部，或只训练线性混合器。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="253"/>
        <source>How often the held-out set is measured, at equal distances, the last at the end.</source>
        <translation>等距测量留出集的次数，最后一次在结束时。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="254"/>
        <source>Instead of equal distances: token counts, each rounded up to a whole step; 0: before the first.</source>
        <translation>代替等距：词元数，各向上取整到整步；0：在第一步之前。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="261"/>
        <source>L.</source>
        <translation>L。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="262"/>
        <source>D.</source>
        <translation>D。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="263"/>
        <source>H, query heads.</source>
        <translation>H，查询头数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="264"/>
        <source>Key/value heads.</source>
        <translation>键/值头数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="265"/>
        <source>Width of a head.</source>
        <translation>一个头的宽度。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="266"/>
        <source>Width of the MLP.</source>
        <translation>MLP 的宽度。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="267"/>
        <source>Activation of the gated MLP.</source>
        <translation>门控 MLP 的激活函数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="268"/>
        <source>Base of the rotary position embedding.</source>
        <translation>旋转位置编码的底数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="269"/>
        <source>Biases on queries, keys and values.</source>
        <translation>查询、键和值上的偏置。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="270"/>
        <source>The output head is the embedding.</source>
        <translation>输出头即嵌入。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="271"/>
        <source>Start all layers but the retrieval layer as local heads (retrieval is learned).</source>
        <translation>除检索层外，所有层都以局部头开始（检索靠学习得到）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="272"/>
        <source>The layer that starts free.</source>
        <translation>自由开始的层。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="273"/>
        <source>Attention score of a local head at the place it starts to look at.</source>
        <translation>局部头在其起始关注位置的注意力分数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="274"/>
        <source>The teacher&apos;s shape and its start.</source>
        <translation>教师的形状及其起点。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="276"/>
        <source>Grow the number of pairs and the sequence length as recall is learned.</source>
        <translation>随着学会召回，增加键值对数和序列长度。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="277"/>
        <source>Pairs at the start.</source>
        <translation>开始时的键值对数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="278"/>
        <source>Running recall above which the task grows.</source>
        <translation>任务增长所需的滑动召回率。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="279"/>
        <source>Factor on the pairs.</source>
        <translation>键值对数的倍数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="280"/>
        <source>Weight of the past in the running recall.</source>
        <translation>滑动召回率中过去的权重。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="281"/>
        <source>Sequence length at the start.</source>
        <translation>开始时的序列长度。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="282"/>
        <source>Steps with short sequences hold more of them, up to so many tokens.</source>
        <translation>短序列的步包含更多序列，最多这么多词元。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="283"/>
        <source>From easy to hard.</source>
        <translation>由易到难。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="285"/>
        <source>Held-out recall that counts as solved.</source>
        <translation>视为已解决的留出召回率。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="286"/>
        <source>Steps after that; the learning rate falls to zero along them.</source>
        <translation>此后的步数；学习率在其间降到零。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="287"/>
        <source>Distance of measurements.</source>
        <translation>测量的间隔。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="288"/>
        <source>With the first pairs unlearned at this step, restart with the next seed; 0: never.</source>
        <translation>若到这一步仍未学会最初的键值对，则用下一个种子重新开始；0：从不。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="289"/>
        <source>At most so many restarts.</source>
        <translation>最多重新开始这么多次。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="290"/>
        <source>When to stop and when to start again.</source>
        <translation>何时停止，何时重新开始。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="291"/>
        <source>Train the small demo teacher on the recall task.</source>
        <translation>在召回任务上训练小型演示教师。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="292"/>
        <source>Of all parameters.</source>
        <translation>所有参数的。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="293"/>
        <source>Weight of the tokens that cannot be known, beside 1 for those that can: above 0 the teacher is a language model of its whole task.</source>
        <translation>不可预知的词元的权重，可预知者为 1：大于 0 时教师是其整个任务的语言模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="299"/>
        <source>A model&apos;s shape, sizes and, if asked, attention statistics per layer and head.</source>
        <translation>模型的形状、大小，以及按需给出的每层每头注意力统计。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="302"/>
        <source>Measure attention statistics.</source>
        <translation>测量注意力统计。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="303"/>
        <source>Token ids to measure on (safetensors with input_ids).</source>
        <translation>用于测量的词元 id（含 input_ids 的 safetensors）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="304"/>
        <source>A text to measure on.</source>
        <translation>用于测量的文本。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="310"/>
        <source>Stage 1: every linear layer learns its softmax layer&apos;s output.</source>
        <translation>第一阶段：每个线性层学习其 softmax 层的输出。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="312"/>
        <source>Mixers to start from: a calibrate or align run, its artifact&apos;s key or the beginning of it, or stage:TASK; left out: copies of the teacher&apos;s weights.</source>
        <translation>起始的混合器：一次 calibrate 或 align 运行、其产物的键或键的开头，或 stage:TASK；省略：教师权重的副本。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="321"/>
        <source>First keys of a document that are left out of look-back and entropy. Default: 1, published: 0</source>
        <translation>文档中不计入回看距离和熵的前几个键。默认：1，已发表：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="322"/>
        <source>Half is forgotten after the mean look-back, or the kernel&apos;s mean lag is the mean look-back. Default: half-life</source>
        <translation>经过平均回看距离后遗忘一半，或核的平均滞后等于平均回看距离。默认：half-life</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="323"/>
        <source>Cap on the look-back; 0: none. Default: 0</source>
        <translation>回看距离的上限；0：无。默认：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="324"/>
        <source>Correct each decay until its mean over the calibration tokens is the target. Default: false</source>
        <translation>校正每个衰减，直到其在校准词元上的均值达到目标。默认：false</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="325"/>
        <source>How the write gate gets to its target: by its mean over the calibration tokens, by row scale as published (which misses it), by a bias where the mixer has one (gdn&apos;s option write_bias), or not at all. Default: data, published: weight</source>
        <translation>写入门如何达到目标：按其在校准词元上的均值、如已发表那样按行缩放（会偏离目标）、在混合器带偏置时用偏置（gdn 的选项 write_bias），或不设置。默认：data，已发表：weight</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="398"/>
        <source>What is measured of a set on the held-out data: KL to the teacher, the loss on the text itself, or wrong answers in the recall task (in text: wrong tokens of passkeys hidden in it).</source>
        <translation>在留出数据上测量集合的什么：到教师的 KL、文本本身的损失，或召回任务中的错误答案（在文本中：藏入其中的密钥的错误词元）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="326"/>
        <source>Write strength of a layer&apos;s least concentrated head. Default: 0.3</source>
        <translation>一层中最不集中的头的写入强度。默认：0.3</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="327"/>
        <source>Write strength of its most concentrated head. Default: 0.7</source>
        <translation>其中最集中的头的写入强度。默认：0.7</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="328"/>
        <source>Entropies of a layer&apos;s heads that lie closer together do not fill that range. Default: 0.001</source>
        <translation>若一层各头的熵比这更接近，则不铺满该范围。默认：0.001</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="329"/>
        <source>Fit values to what the mixer reads, with its 1/√d; published code leaves that out. Default: true, published: false</source>
        <translation>按混合器读出的内容（含其 1/√d）拟合值；已发表代码略去此项。默认：true，已发表：false</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="330"/>
        <source>Smallest factor on a head&apos;s values. Default: 0.1</source>
        <translation>一个头的值的最小倍数。默认：0.1</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="331"/>
        <source>Largest factor on a head&apos;s values. Default: 10</source>
        <translation>一个头的值的最大倍数。默认：10</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="332"/>
        <source>The output gate: a small multiple of the value projection, or as it was drawn. Default: keep, published: from-values</source>
        <translation>输出门：值投影的小倍数，或保持抽取时的样子。默认：keep，已发表：from-values</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="333"/>
        <source>Of the gate, as a share of the teacher&apos;s amplitude. Default: 0.01</source>
        <translation>门的幅度，占教师幅度的比例。默认：0.01</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="334"/>
        <source>Compare a mean of RMS with one RMS over everything, as published. Default: false, published: true</source>
        <translation>如已发表那样，将 RMS 的均值与整体的一个 RMS 比较。默认：false，已发表：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="335"/>
        <source>Set decays. Default: true</source>
        <translation>设置衰减。默认：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="336"/>
        <source>Set write gates. Default: true</source>
        <translation>设置写入门。默认：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="337"/>
        <source>Scale values. Default: false, published: true</source>
        <translation>缩放值。默认：false，已发表：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="338"/>
        <source>Set output gates. Default: true</source>
        <translation>设置输出门。默认：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="339"/>
        <source>What is read off the teacher&apos;s attention, and what is set by it.</source>
        <translation>从教师注意力中读出什么，并据此设置什么。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="341"/>
        <source>Optimizer steps of every layer, each on all calibration tokens. Default: 300</source>
        <translation>每层的优化器步数，每步用全部校准词元。默认：300</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="342"/>
        <source>Distance between teacher and student attention outputs. Default: relative-mse, published: mean-square</source>
        <translation>教师与学生注意力输出之间的距离。默认：relative-mse，已发表：mean-square</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="343"/>
        <source>Of query, key and value projections. Default: 1e-4</source>
        <translation>查询、键和值投影的。默认：1e-4</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="344"/>
        <source>Of gates and decays. Default: 1e-3</source>
        <translation>门和衰减的。默认：1e-3</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="345"/>
        <source>Of output projection and norm; 0: frozen. Default: 0</source>
        <translation>输出投影和归一化的；0：冻结。默认：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="346"/>
        <source>AdamW. Default: 0.01</source>
        <translation>AdamW。默认：0.01</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="347"/>
        <source>Weight decay on decays and their biases too, as published. Default: false, published: true</source>
        <translation>如已发表那样，对衰减及其偏置也用权重衰减。默认：false，已发表：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="348"/>
        <source>Keep the weights one update past the best loss, as published. Default: false, published: true</source>
        <translation>如已发表那样，保留最佳损失之后一次更新的权重。默认：false，已发表：true</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="349"/>
        <source>Gradient norm of a layer above which it is scaled down; 0: none. Default: 1</source>
        <translation>一层的梯度范数超过它时缩小；0：无。默认：1</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="350"/>
        <source>A layer stops when it has not improved for so long; 0: never. Default: 50, published: 0</source>
        <translation>一层这么久没有改进就停止；0：从不。默认：50，已发表：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="351"/>
        <source>What counts as improved, as a share of the best loss. Default: 0.001, published: 0</source>
        <translation>多少算改进，占最佳损失的比例。默认：0.001，已发表：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="352"/>
        <source>Sequences of one pass; 0: all. Default: 0</source>
        <translation>一次处理的序列数；0：全部。默认：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="353"/>
        <source>Alignment of each layer with the teacher&apos;s attention output.</source>
        <translation>让每层与教师的注意力输出对齐。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="359"/>
        <source>Taylor-Calibrate: start linear layers from what the teacher&apos;s attention does, then align them.</source>
        <translation>Taylor-Calibrate：从教师注意力的行为出发设定线性层，然后对齐。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="362"/>
        <source>The copied weights alone, with the output gate closed or all but closed, with Phase 1 (closed form), Phase 2 (alignment), or both.</source>
        <translation>仅复制权重、输出门关闭或几乎关闭、阶段一（闭式）、阶段二（对齐），或两者都用。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="363"/>
        <source>What fills in the fields of the phases that are left out: our defaults, or what the published code does in these fields (only to reproduce it; its scattered rows are mixer.expand, its 4 sequences of 256 tokens sequences and data.sequence_length).</source>
        <translation>省略的阶段字段用什么填充：我们的默认值，或已发表代码的做法（仅用于复现；其分散的行是 mixer.expand，其 4 个 256词元的序列是 sequences 和 data.sequence_length）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="364"/>
        <source>Layers to calibrate; empty: all.</source>
        <translation>要校准的层；为空：全部。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="365"/>
        <source>Calibration sequences, drawn from the training text by the seed.</source>
        <translation>校准序列，按种子从训练文本中抽取。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="366"/>
        <source>Measure how far the Taylor expansions of orders 1 and 2 are from each head&apos;s attention.</source>
        <translation>测量 1 阶和 2 阶泰勒展开与每个头的注意力相差多远。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="367"/>
        <source>First tokens of the first sequence over which every head&apos;s attention is kept beside its student&apos;s map; 0: none. Default: 64</source>
        <translation>在第一个序列的前多少个词元上保留每个头的注意力及其学生的图；0：不保留。默认：64</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="376"/>
        <source>Mean laziness, or the share of sequences in which the layer is among the laziest.</source>
        <translation>平均惰性，或该层属于最惰者的序列比例。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="377"/>
        <source>Frequency: K, so that the laziest L - K of a sequence count. Default: a quarter of the layers</source>
        <translation>频率：K，使每个序列中最惰的 L - K 层被计数。默认：四分之一的层</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="378"/>
        <source>Queries at a document&apos;s end whose attention is measured.</source>
        <translation>测量文档末尾多少个查询的注意力。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="379"/>
        <source>First keys that a lazy layer looks at.</source>
        <translation>惰性层关注的前几个键。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="380"/>
        <source>Last keys that a lazy layer looks at; 0: 1020, or half of the sequence where that is fewer.</source>
        <translation>惰性层关注的最后几个键；0：1020，或序列的一半（若更少）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="381"/>
        <source>Of light-transfer.</source>
        <translation>light-transfer 的选项。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="383"/>
        <source>How a gate is made of what trains: itself, cut to 0 to 1; a sigmoid; or the softmax of two logits (DASH).</source>
        <translation>门如何由训练的量得到：其本身截到 0 到 1；sigmoid；或两个 logit 的 softmax（DASH）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="384"/>
        <source>Every gate before the first step.</source>
        <translation>第一步之前每个门的值。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="385"/>
        <source>Weight of the mean gate in the loss: the pull towards linear layers.</source>
        <translation>损失中平均门的权重：朝线性层的拉力。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="386"/>
        <source>Hidden states that are to stay the teacher&apos;s.</source>
        <translation>应保持与教师一致的隐藏状态。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="387"/>
        <source>Of the gates.</source>
        <translation>门的。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="388"/>
        <source>Train on passkeys hidden in the text and asked for at its end, or on the text alone. The recall task is used as it is.</source>
        <translation>用藏在文本中并在末尾询问的密钥训练，或只用文本。召回任务按原样使用。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="389"/>
        <source>Passkeys hidden in one sequence.</source>
        <translation>一个序列中藏的密钥数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="390"/>
        <source>Passkeys asked for; 0: all.</source>
        <translation>询问的密钥数；0：全部。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="391"/>
        <source>Digits of a passkey.</source>
        <translation>密钥的位数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="392"/>
        <source>Count only the positions that predict an asked passkey.</source>
        <translation>只计预测被问密钥的位置。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="393"/>
        <source>Trainings on different data: their mean is the score, their spread its error.</source>
        <translation>在不同数据上的训练次数：均值为分数，离散度为误差。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="394"/>
        <source>Of gates.</source>
        <translation>gates 的选项。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="396"/>
        <source>Sets that stay from size to size.</source>
        <translation>从一个大小到下一个大小保留的集合数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="397"/>
        <source>K up to which sets are searched. Default: half of the layers</source>
        <translation>搜索集合到多大的 K。默认：一半的层</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="399"/>
        <source>Train the linear mixers for any choice of layers first, a random one in each step; 0: stage 1&apos;s mixers as they are.</source>
        <translation>先为任意的层选择训练线性混合器，每步随机一种；0：直接用第一阶段 的混合器。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="400"/>
        <source>Of the linear mixers in the supernet.</source>
        <translation>超网中线性混合器的。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="401"/>
        <source>Softmax layers of a step: a uniform number up to largest_keep and a uniform set of that size, or each layer by itself.</source>
        <translation>一步中的 softmax 层：数目在 largest_keep 以内均匀、再均匀取该大小的集合，或各层独立。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="402"/>
        <source>Bernoulli: chance of a layer to be softmax.</source>
        <translation>伯努利：一层为 softmax 的概率。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="403"/>
        <source>Hidden states that the supernet keeps the teacher&apos;s.</source>
        <translation>超网使之与教师一致的隐藏状态。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="404"/>
        <source>Of beam-search.</source>
        <translation>beam-search 的选项。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="412"/>
        <source>What is measured on the held-out set: KL to the teacher, or the loss on the text itself. Default: kl</source>
        <translation>在留出集上测量什么：到教师的 KL，或文本本身的损失。默认：kl</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="413"/>
        <source>So many first layers are ranked last: zeroing their attention breaks most models, which says little of them. Default: 0</source>
        <translation>前这么多层排在最后：将其注意力置零会使多数模型失效，这说明不了什么。默认：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="414"/>
        <source>Softmax layers in each set that is tried. Default: 1</source>
        <translation>每个尝试的集合中的 softmax 层数。默认：1</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="415"/>
        <source>Refuse to try more sets than this. Default: 64</source>
        <translation>拒绝尝试多于此数的集合。默认：64</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="416"/>
        <source>Stop replacing when so many softmax layers are left. Default: 0</source>
        <translation>剩下这么多 softmax 层时停止替换。默认：0</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="417"/>
        <source>Prompts that the teacher answers. Default: 500</source>
        <translation>教师回答的提示数。默认：500</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="418"/>
        <source>Words with a digit in each prompt. Default: 50</source>
        <translation>每个提示中带数字的词数。默认：50</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="419"/>
        <source>At most so many tokens of an answer; published code takes 200. Default: 32</source>
        <translation>答案最多这么多词元；已发表代码取 200。默认：32</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="420"/>
        <source>When an answer is right: its first whole number is the sum, or the sum stands anywhere in it, as published code tests (only to reproduce it). Default: first-integer</source>
        <translation>答案何时正确：其第一个整数是和，或和出现在其中任何位置（已发表代码的检验，仅用于复现）。默认：first-integer</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="421"/>
        <source>Form of the stage-1 loss that layers are ranked by: squared as the paper has it, rms as its code, or relative to the teacher&apos;s output. They order layers differently. Default: relative-mse</source>
        <translation>用于给各层排序的第一阶段损失的形式：squared 如论文，rms 如其代码，或相对于教师的输出。它们给出的排序不同。默认：relative-mse</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="422"/>
        <source>HALO&apos;s formula as in the paper, or as in its code (ε 1e-10, scores capped at 50). Default: paper</source>
        <translation>HALO 公式按论文，或按其代码（ε 1e-10，分数上限 50）。默认：paper</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="428"/>
        <source>What each layer gains as the only softmax layer.</source>
        <translation>每层作为唯一 softmax 层的增益。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="431"/>
        <source>What scores the layers, for example ga-s2 (a short stage 2 per layer) or zero-shot-ga (none).</source>
        <translation>用什么给层评分，例如 ga-s2（每层一次短的第二阶段）或 zero-shot-ga（无）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="432"/>
        <source>Layers to score; empty: all.</source>
        <translation>要评分的层；为空：全部。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="433"/>
        <source>Score the student without softmax layers too, so that a KL gain can be shown.</source>
        <translation>也给没有 softmax 层的学生评分，以便显示 KL 增益。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="434"/>
        <source>Students that train in lock-step; 0: from a memory estimate.</source>
        <translation>同步训练的学生数；0：由内存估计得出。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="436"/>
        <source>Stop the training of students whose place is sure, and all of it when every place is.</source>
        <translation>名次已确定的学生停止训练，所有名次都确定时全部停止。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="438"/>
        <source>race: layers leave one by one as paired tests settle their place, within the error; stable: all stop when the best layers no longer change, without a bound on the error. Left out: race where the selector has a value of each layer on each sequence, else stable.</source>
        <translation>race：成对检验在误差内确定名次后各层逐一退出；stable：最佳层不再变化时全部停止，误差无界。省略：若选择器对每层每序列都有值则用 race，否则用 stable。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="440"/>
        <source>race: chance of any wrong decision, over all evaluations. Left out: 0.05.</source>
        <translation>race：所有评估中出现任何错误决定的概率。省略：0.05。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="441"/>
        <source>stable: how many changes in a row must be small.</source>
        <translation>stable：连续多少次变化必须很小。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="442"/>
        <source>The values of K whose sets are wanted.</source>
        <translation>需要其集合的 K 值。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="443"/>
        <source>Of ga-s2, gr-s2 and avg-s2. Saves tokens; approximate.</source>
        <translation>用于 ga-s2、gr-s2 和 avg-s2。节省词元；近似。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="449"/>
        <source>Stage 2: train the hybrid that keeps the chosen softmax layers.</source>
        <translation>第二阶段：训练保留所选 softmax 层的混合模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="452"/>
        <source>Softmax layers to keep.</source>
        <translation>要保留的 softmax 层。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="453"/>
        <source>Instead of keep: K, the best layers of `scores`.</source>
        <translation>代替 keep：K，`scores` 中最佳的层。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="454"/>
        <source>Instead of keep: K as a share of the layers, rounded half up.</source>
        <translation>代替 keep：K 占层数的比例，四舍五入。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="455"/>
        <source>Scores that keep_count or keep_percent choose from: a run, an artifact, a file or stage:TASK.</source>
        <translation>供 keep_count 或 keep_percent 选择的分数：一次运行、一个产物、一个文件或 stage:TASK。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="461"/>
        <source>What to measure; recall needs the recall task, or text in sequences of 256 tokens at least, in which passkeys are hidden; KL and hidden-cosine need a teacher.</source>
        <translation>测量什么；recall 需要召回任务，或序列至少 256 个词元的文本（其中会藏入口令）；KL 和 hidden-cosine 需要教师。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="463"/>
        <source>Measure a model on held-out data.</source>
        <translation>在留出数据上测量模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="465"/>
        <source>The model to measure.</source>
        <translation>要测量的模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="466"/>
        <source>For KL: the model to compare with.</source>
        <translation>用于 KL：要比较的模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="469"/>
        <source>Sequences in one forward pass.</source>
        <translation>一次前向中的序列数。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="470"/>
        <source>Perplexity: tokens in one window; 0: the model&apos;s context, at most 2048.</source>
        <translation>困惑度：一个窗口中的词元数；0：模型的上下文，最多 2048。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="471"/>
        <source>Perplexity: tokens from window to window; 0: the window.</source>
        <translation>困惑度：窗口之间的词元数；0：窗口长度。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="478"/>
        <source>Continue a prompt.</source>
        <translation>续写提示。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="480"/>
        <source>The model that writes.</source>
        <translation>用于写作的模型。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="481"/>
        <source>The text to continue.</source>
        <translation>要续写的文本。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="482"/>
        <source>Instead of a prompt: token ids (safetensors with input_ids).</source>
        <translation>代替提示：词元 id（含 input_ids 的 safetensors）。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="483"/>
        <source>At most so many new tokens.</source>
        <translation>最多这么多新词元。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="484"/>
        <source>0: always the likeliest token.</source>
        <translation>0：始终取最可能的词元。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="485"/>
        <source>Draw from the k likeliest tokens; 0: from all.</source>
        <translation>从最可能的 k 个词元中抽取；0：从全部中。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="486"/>
        <source>Draw from the likeliest tokens that hold this probability.</source>
        <translation>从合计达到此概率的最可能词元中抽取。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="487"/>
        <source>Wrap the prompt in the model&apos;s chat template.</source>
        <translation>用模型的聊天模板包装提示。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="488"/>
        <source>Go on after an end-of-text token.</source>
        <translation>遇到文本结束词元后继续。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="494"/>
        <source>Run one after the other; a later one may name an earlier one&apos;s output as stage:TASK.</source>
        <translation>依次运行；后面的阶段可用 stage:TASK 引用前面的输出。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="496"/>
        <source>Names the stage within the run.</source>
        <translation>在运行中给阶段命名。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="497"/>
        <source>The stage&apos;s spec.</source>
        <translation>阶段的规格。</translation>
    </message>
    <message>
        <location filename="../core/experiment/kinds.cpp" line="499"/>
        <source>Several stages in one run.</source>
        <translation>一次运行中的多个阶段。</translation>
    </message>
</context>
<context>
    <name>SpecFields</name>
    <message>
        <location filename="../widgets/models/specfields.cpp" line="55"/>
        <source>of the stage %1</source>
        <translation>来自阶段 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/specfields.cpp" line="101"/>
        <location filename="../widgets/models/specfields.cpp" line="111"/>
        <source>%1 %2</source>
        <comment>field of a spec, its value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/specfields.cpp" line="88"/>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <location filename="../widgets/models/specfields.cpp" line="88"/>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>SpecWords</name>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="27"/>
        <source>Score layers</source>
        <translation>为各层评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="27"/>
        <source>Distil a hybrid</source>
        <translation>蒸馏混合模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="27"/>
        <source>Calibrate linear layers</source>
        <translation>校准线性层</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="28"/>
        <source>Align (stage 1 alone)</source>
        <translation>对齐（仅第一阶段）</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="28"/>
        <source>Evaluate a model</source>
        <translation>评估模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="28"/>
        <source>Inspect and open a model</source>
        <translation>检查并打开模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="29"/>
        <source>Pipeline of stages</source>
        <translation>多阶段流水线</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="29"/>
        <source>Continue a prompt</source>
        <translation>续写提示</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="29"/>
        <source>Train a demo teacher</source>
        <translation>训练演示教师</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="46"/>
        <source>%1 to %2</source>
        <comment>range of numbers</comment>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="48"/>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="49"/>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="57"/>
        <source>Range: %1</source>
        <translation>范围：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="59"/>
        <source>Default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="60"/>
        <source>In the file: %1</source>
        <translation>在文件中：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="70"/>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="70"/>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="70"/>
        <source>sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="70"/>
        <source>s</source>
        <comment>seconds</comment>
        <translation>秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="71"/>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="71"/>
        <source>evaluations</source>
        <translation>次评估</translation>
    </message>
    <message>
        <location filename="../widgets/views/specwords.cpp" line="71"/>
        <source>nats</source>
        <translation>纳特</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <location filename="../app/windowcommands.cpp" line="88"/>
        <source>There is nothing in the plot for that</source>
        <translation>图中还没有可用于此操作的内容</translation>
    </message>
    <message>
        <location filename="../app/windowcommands.cpp" line="145"/>
        <source>a plot</source>
        <translation>某个图</translation>
    </message>
    <message>
        <location filename="../app/windowcommands.cpp" line="146"/>
        <source>%1 (in: %2)</source>
        <comment>what a key does, names of plots</comment>
        <translation>%1（在：%2）</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <location filename="../app/main.cpp" line="87"/>
        <source>Turns pretrained softmax Transformers into hybrids with linear attention</source>
        <translation>将预训练的 softmax Transformer 转换为含线性注意力的混合模型</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="90"/>
        <source>Folder that keeps runs and results</source>
        <translation>保存运行与结果的文件夹</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="91"/>
        <source>stillroom://run/UUID, stillroom://teacher/MODEL or stillroom://layer/NUMBER: shown by the window that is open already, if there is one</source>
        <translation>stillroom://run/UUID、stillroom://teacher/MODEL 或 stillroom://layer/NUMBER：若已有打开的窗口，则由它显示</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="92"/>
        <source>A Hugging Face folder, a GGUF file, or demo; without it the one that was open last</source>
        <translation>Hugging Face 文件夹、GGUF 文件或 demo；省略则为上次打开的模型</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="93"/>
        <source>Colours for this time: light, dark or system (the View menu&apos;s choice stays)</source>
        <translation>本次使用的配色：light、dark 或 system（“视图”菜单中的选择不变）</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="94"/>
        <source>Opens no window: makes all figures of a figures.json again</source>
        <translation>不打开窗口：重新生成 figures.json 中的所有图</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="95"/>
        <source>Where the figures go</source>
        <translation>图的存放位置</translation>
    </message>
</context>
<context>
    <name>stillroom::Closing</name>
    <message>
        <location filename="../app/closing.cpp" line="17"/>
        <source>Stay open</source>
        <translation>保持打开</translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="41"/>
        <source>When it is stopped, a checkpoint is kept, and it can be resumed.</source>
        <translation>停止时会保留检查点，之后可以继续。</translation>
    </message>
    <message numerus="yes">
        <location filename="../app/closing.cpp" line="43"/>
        <source>%n jobs wait behind it: they stay in the queue for the next start, or are done before the window closes.</source>
        <translation>
            <numerusform>其后还有 %n 个任务在等待：停止则留在队列中待下次启动，等待则在窗口关闭前完成。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="44"/>
        <source>A job is running</source>
        <translation>有任务正在运行</translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="44"/>
        <source>%1: under way.</source>
        <translation>%1：正在进行。</translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="47"/>
        <source>&amp;Stop and close</source>
        <translation>停止并关闭(&amp;S)</translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="47"/>
        <source>&amp;Close when done</source>
        <translation>完成后关闭(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="48"/>
        <source>Do &amp;not close</source>
        <translation>不关闭(&amp;N)</translation>
    </message>
    <message>
        <location filename="../app/closing.cpp" line="73"/>
        <source>The window closes when all jobs are done.</source>
        <translation>所有任务完成后窗口将关闭。</translation>
    </message>
</context>
<context>
    <name>stillroom::MainWindow</name>
    <message>
        <location filename="../app/mainwindow.cpp" line="98"/>
        <location filename="../app/mainwindow.cpp" line="373"/>
        <source>Stillroom</source>
        <translation>Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="130"/>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="149"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="150"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="151"/>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="152"/>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="154"/>
        <source>Runs</source>
        <translation>实验</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="158"/>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="191"/>
        <source>Ctrl+%1</source>
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="249"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="250"/>
        <source>The linear mixer that takes the place of softmax</source>
        <translation>代替 softmax 的线性混合器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="251"/>
        <source>&amp;Probe:</source>
        <translation>探针(&amp;P)：</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="274"/>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="283"/>
        <source>Hide the inspector (I)</source>
        <translation>隐藏检查器 (I)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="288"/>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="289"/>
        <source>&amp;Open teacher folder…</source>
        <translation>打开教师模型文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="290"/>
        <source>Open &amp;GGUF file…</source>
        <translation>打开 GGUF 文件(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="291"/>
        <source>Open the &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="292"/>
        <source>Open &amp;recent</source>
        <translation>打开最近的(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="294"/>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="296"/>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="297"/>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="298"/>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="298"/>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="303"/>
        <source>Copy &amp;link to the layer</source>
        <translation>复制该层的链接(&amp;L)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="304"/>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="305"/>
        <source>&amp;New experiment…</source>
        <translation>新建实验(&amp;N)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="306"/>
        <source>&amp;Score layers…</source>
        <translation>为各层评分(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="307"/>
        <location filename="../app/mainwindowwork.cpp" line="171"/>
        <source>&amp;Distil the chosen hybrid</source>
        <translation>蒸馏所选混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="308"/>
        <source>Cali&amp;brate linear layers…</source>
        <translation>校准线性层(&amp;B)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="309"/>
        <location filename="../app/mainwindowwork.cpp" line="174"/>
        <source>&amp;Cancel the job</source>
        <translation>取消任务(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="317"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="321"/>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="326"/>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="328"/>
        <source>&amp;As the system</source>
        <translation>跟随系统(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="328"/>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="328"/>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="344"/>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="349"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="350"/>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="351"/>
        <source>&amp;About Stillroom</source>
        <translation>关于 Stillroom(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="128"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="110"/>
        <source>Just now</source>
        <translation>刚才</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="128"/>
        <source>Clear the search, leave the dock, select nothing</source>
        <translation>清除搜索、离开停靠栏、取消选择</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="129"/>
        <source>I</source>
        <translation>I</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="129"/>
        <source>Inspector on or off</source>
        <translation>显示或隐藏检查器</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="158"/>
        <source>%1 is not there any more</source>
        <translation>%1 已不存在</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="164"/>
        <source>&amp;Clear list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="170"/>
        <source>Open a teacher first</source>
        <translation>请先打开教师模型</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="171"/>
        <source>&amp;Distil the chosen hybrid…</source>
        <translation>蒸馏所选混合模型(&amp;D)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="172"/>
        <source>Score the layers first, or choose some by hand</source>
        <translation>请先给各层评分，或手动选择若干层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="175"/>
        <source>No job is running or paused</source>
        <translation>没有作业在运行或暂停</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="176"/>
        <source>Select a layer first</source>
        <translation>请先选择一层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="289"/>
        <source>Copied: the plot as SVG and PNG, its numbers as TSV and Markdown</source>
        <translation>已复制：图（SVG 和 PNG）及其数值（TSV 和 Markdown）</translation>
    </message>
    <message numerus="yes">
        <location filename="../app/mainwindowwork.cpp" line="295"/>
        <source>Copied: %n lines</source>
        <translation>
            <numerusform>已复制：%n 行</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="295"/>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="316"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="316"/>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="318"/>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="329"/>
        <source>Everywhere</source>
        <translation>任何位置</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="344"/>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="366"/>
        <source>“%1” leads nowhere: a link names a run, a teacher or a layer.</source>
        <translation>“%1”无法打开：链接应指向运行、教师模型或层。</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="391"/>
        <source>%1 has no layer %2: its layers are 0 to %3.</source>
        <translation>%1 没有第 %2 层：它的层为 0 至 %3。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="356"/>
        <source>About Stillroom</source>
        <translation>关于 Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="357"/>
        <source>&lt;h3&gt;Stillroom %1&lt;/h3&gt;&lt;p&gt;Turns pretrained softmax Transformers into hybrids with linear attention.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. It comes with no warranty.&lt;/p&gt;&lt;p&gt;Qt %2&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Stillroom %1&lt;/h3&gt;&lt;p&gt;将预训练的 softmax Transformer 转换为含线性注意力的混合模型。&lt;/p&gt;&lt;p&gt;自由软件，依 GNU 通用公共许可证第 3 版或更新版本发布，不提供任何担保。&lt;/p&gt;&lt;p&gt;Qt %2&lt;/p&gt;</translation>
    </message>
    <message numerus="yes">
        <location filename="../app/mainwindow.cpp" line="369"/>
        <source>%n layers · %1 parameters</source>
        <translation>
            <numerusform>%n 层 · %1 个参数</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="370"/>
        <source>%1 softmax · %2 %3</source>
        <translation>%1 个 softmax · %2 个 %3</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="373"/>
        <source>%1 — Stillroom</source>
        <translation>%1 — Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="408"/>
        <source>Open a Hugging Face folder</source>
        <translation>打开 Hugging Face 文件夹</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="415"/>
        <source>Open a GGUF file</source>
        <translation>打开 GGUF 文件</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="415"/>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="431"/>
        <source>There is no plot to export on this page yet.</source>
        <translation>此页尚无可导出的图。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="517"/>
        <source>The demo&apos;s own</source>
        <translation>演示自带</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="517"/>
        <source>The lengths that were measured for the demo teacher and its recall task.</source>
        <translation>为演示教师及其召回任务测得的长度。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="553"/>
        <source>The run is not in this workspace any more.</source>
        <translation>此运行已不在该工作区中。</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="174"/>
        <source>&amp;Cancel opening the model</source>
        <translation>取消打开模型(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="591"/>
        <source>Drop one model or one spec at a time.</source>
        <translation>请一次只拖放一个模型或一个规格文件。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="593"/>
        <source>“%1” is not on this computer: download it first, then drop its folder or file here.</source>
        <translation>“%1”不在这台计算机上：请先下载，再将其文件夹或文件拖放到这里。</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="291"/>
        <source>Copied: the table as TSV, Markdown and LaTeX</source>
        <translation>已复制：表格的 TSV、Markdown 与 LaTeX</translation>
    </message>
</context>
<context>
    <name>stillroom::WindowJobs</name>
    <message>
        <location filename="../app/windowjobs.cpp" line="36"/>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../app/windowjobs.cpp" line="59"/>
        <source>Pa&amp;use or resume the job</source>
        <translation>暂停或继续任务(&amp;U)</translation>
    </message>
    <message>
        <location filename="../app/windowjobs.cpp" line="60"/>
        <source>Cancel &amp;all jobs</source>
        <translation>取消全部任务(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/windowjobs.cpp" line="86"/>
        <source>No job is running, waiting or paused</source>
        <translation>没有正在运行、等待或暂停的任务</translation>
    </message>
</context>
<context>
    <name>stillroom::WindowLayouts</name>
    <message>
        <location filename="../app/windowlayouts.cpp" line="70"/>
        <source>La&amp;youts</source>
        <translation>布局方案(&amp;Y)</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="71"/>
        <source>&amp;Save the layout as…</source>
        <translation>将布局另存为(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="72"/>
        <source>&amp;Delete a layout…</source>
        <translation>删除布局(&amp;D)…</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="95"/>
        <source>Save the layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="95"/>
        <source>Name (one that is there is replaced):</source>
        <translation>名称（同名者将被替换）：</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="99"/>
        <source>Save the layout %1</source>
        <translation>保存布局 %1</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="104"/>
        <source>Choose the layout %1</source>
        <translation>选择布局 %1</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="111"/>
        <source>Delete a layout</source>
        <translation>删除布局</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="111"/>
        <source>Layout:</source>
        <translation>布局：</translation>
    </message>
    <message>
        <location filename="../app/windowlayouts.cpp" line="115"/>
        <source>Delete the layout %1</source>
        <translation>删除布局 %1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AgreementPlot</name>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="32"/>
        <source>Jaccard index against K</source>
        <translation>Jaccard 指数随 K 的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="33"/>
        <source>← →</source>
        <translation>← →</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="33"/>
        <source>Smaller and larger K</source>
        <translation>减小和增大 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="41"/>
        <source>chance, 95 %</source>
        <translation>随机水平，95 %</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="42"/>
        <source>chance, mean</source>
        <translation>随机水平，均值</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="43"/>
        <source>beyond chance</source>
        <translation>超出随机</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="44"/>
        <source>within chance</source>
        <translation>随机范围内</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="47"/>
        <source>K, softmax layers kept</source>
        <translation>K，保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="51"/>
        <source>Jaccard index</source>
        <translation>Jaccard 指数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="116"/>
        <source>K = %1: J = %2, chance %3 (%4 to %5), p = %6</source>
        <translation>K = %1：J = %2，随机 %3（%4 至 %5），p = %6</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="124"/>
        <source>Choose a cell of the matrix: how its two choices agree at every K appears here.</source>
        <translation>请在矩阵中选择一格：两种方案在每个 K 下的一致程度会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="124"/>
        <source>A choice agrees with itself at every K: choose a cell beside the diagonal.</source>
        <translation>一个选择与自身在每个 K 下都一致：请选择对角线以外的单元格。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="156"/>
        <source>no pair chosen</source>
        <translation>未选择任何一对</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="156"/>
        <source>no point at K = %1</source>
        <translation>K = %1 处没有数据点</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AlarmList</name>
    <message>
        <location filename="../widgets/views/alarmlist.cpp" line="29"/>
        <source>Number of alarms</source>
        <translation>警示数</translation>
    </message>
    <message>
        <location filename="../widgets/views/alarmlist.cpp" line="30"/>
        <source>Alarms</source>
        <translation>警示</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/alarmlist.cpp" line="52"/>
        <source>%n alarms</source>
        <translation>
            <numerusform>%n 条警示</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/alarmlist.cpp" line="52"/>
        <source>No alarms: scales, look-back, contexts and write strengths are where they should be.</source>
        <translation>没有警示：缩放、回看距离、上下文和写入强度都在应有的范围内。</translation>
    </message>
    <message>
        <location filename="../widgets/views/alarmlist.cpp" line="60"/>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <location filename="../widgets/views/alarmlist.cpp" line="62"/>
        <source>Show: %1</source>
        <translation>查看：%1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AlignmentPlot</name>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="33"/>
        <source>Squared error of each layer against steps</source>
        <translation>各层平方误差随步数变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="33"/>
        <source>Cosine of each layer against steps</source>
        <translation>各层余弦随步数变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="34"/>
        <source>L: logarithmic axis</source>
        <translation>L：对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="35"/>
        <source>step of phase 2</source>
        <translation>阶段二步数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="37"/>
        <source>relative squared error</source>
        <translation>相对平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="37"/>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="38"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="50"/>
        <location filename="../widgets/plots/alignmentplot.cpp" line="212"/>
        <source>Layer %1: last %2</source>
        <translation>第 %1 层：最新值 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="58"/>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="59"/>
        <source>← → ↑ ↓</source>
        <translation>← → ↑ ↓</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="59"/>
        <source>Walk from layer to layer</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="137"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="163"/>
        <source>The curves appear here as soon as phase 2 begins.</source>
        <translation>阶段二开始后，曲线会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="163"/>
        <source>This calibration kept no curves: it has no phase 2, or used an equal one&apos;s results.</source>
        <translation>此次校准没有曲线：没有阶段二，或沿用了相同校准的结果。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="163"/>
        <source>The alignment of each layer appears here, live.</source>
        <translation>各层的对齐过程会实时显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="214"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/alignmentplot.cpp" line="214"/>
        <source>%n layers</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::BudgetField</name>
    <message>
        <location filename="../widgets/views/budgetfield.cpp" line="21"/>
        <source>KV c&amp;ache:</source>
        <translation>KV 缓存(&amp;A)：</translation>
    </message>
    <message>
        <location filename="../widgets/views/budgetfield.cpp" line="23"/>
        <source>KV cache at a context length</source>
        <translation>某一上下文长度下的 KV 缓存</translation>
    </message>
    <message>
        <location filename="../widgets/views/budgetfield.cpp" line="24"/>
        <source>What the softmax layers take for one sequence, in bfloat16. Write a budget such as “64 MiB at 32k”: K becomes the largest that fits.</source>
        <translation>softmax 层为一个序列所占用的缓存（bfloat16）。写入预算，例如“64 MiB @ 32k”：K 将取能容纳的最大值。</translation>
    </message>
    <message>
        <location filename="../widgets/views/budgetfield.cpp" line="43"/>
        <source>%1 at %2</source>
        <translation>%1 @ %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/budgetfield.cpp" line="53"/>
        <source> at </source>
        <translation> @ </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CalibrationPage</name>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="57"/>
        <source>What calibration is</source>
        <translation>校准是什么</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="75"/>
        <source>Calibrate a&amp;new…</source>
        <translation>重新校准(&amp;N)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="79"/>
        <source>The statistic&apos;s range</source>
        <translation>统计量的范围</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="115"/>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="117"/>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="118"/>
        <source>How these linear layers started, and when</source>
        <translation>这些线性层如何初始化，以及时间</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="141"/>
        <source>&amp;Copy as TSV</source>
        <translation>复制为 TSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="142"/>
        <source>The map, or what has the keyboard: the head&apos;s table, the curves, the alarms (Ctrl+C)</source>
        <translation>热图，或键盘焦点所在处：头的表格、曲线、警示（Ctrl+C）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="123"/>
        <source>&amp;Statistic:</source>
        <translation>统计量(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="58"/>
        <location filename="../widgets/pages/calibrationpage.cpp" line="144"/>
        <source>C&amp;alibrate…</source>
        <translation>校准(&amp;A)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="120"/>
        <source>Moment</source>
        <translation>时刻</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="123"/>
        <source>&amp;of:</source>
        <translation>来自(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="123"/>
        <source>&amp;when:</source>
        <translation>时刻(&amp;W)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="162"/>
        <source>Against</source>
        <translation>对照</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="164"/>
        <source>a&amp;gainst:</source>
        <translation>对照(&amp;G)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="179"/>
        <source>The picked head, and how the layers align</source>
        <translation>所选头，以及各层的对齐过程</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="189"/>
        <source>Hea&amp;d</source>
        <translation>头(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="193"/>
        <source>A&amp;lignment</source>
        <translation>对齐(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="192"/>
        <source>Num&amp;bers</source>
        <translation>数值(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="194"/>
        <source>Dep&amp;th</source>
        <translation>深度(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="210"/>
        <source>Copy as TSV</source>
        <translation>复制为 TSV</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="237"/>
        <source>Nothing has been calibrated on this teacher yet.
A calibration reads off every head how far it looks back and how sharply, starts linear layers from that, and aligns them with the teacher layer by layer.</source>
        <translation>此教师尚未校准。
校准读取每个头回看多远、注意力有多集中，以此初始化线性层，再逐层与教师对齐。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="238"/>
        <source>Open a teacher: its attention, head by head, appears here.</source>
        <translation>请打开一个教师模型：其各头的注意力会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="246"/>
        <source>%1 · %2 · %3</source>
        <comment>how, mixer, when</comment>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="280"/>
        <source>nothing: a histogram</source>
        <translation>无：直方图</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="324"/>
        <source>measured once</source>
        <translation>只测量一次</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="328"/>
        <source>This was measured once: there is no value from before to compare it with</source>
        <translation>只测量过一次：没有之前的值可供比较</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="328"/>
        <source>As the layers began, after each phase, or what changed</source>
        <translation>各层开始时、每个阶段之后，或其变化</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="345"/>
        <source>here %1 to %2, median %3</source>
        <translation>实际 %1 至 %2，中位数 %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="347"/>
        <source>possible %1 to %2</source>
        <translation>可能范围 %1 至 %2</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="348"/>
        <source>%1 sequences of %2 tokens</source>
        <translation>%1 条序列，每条 %2 个词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="349"/>
        <source>hatched: softmax in the chosen hybrid</source>
        <translation>斜线：所选混合模型中的 softmax 层</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ChoiceBook</name>
    <message>
        <location filename="../widgets/models/choicebook.cpp" line="200"/>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="../widgets/models/choicebook.cpp" line="239"/>
        <location filename="../widgets/models/choicebook.cpp" line="260"/>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <location filename="../widgets/models/choicebook.cpp" line="241"/>
        <source>stopped at %1 tokens</source>
        <translation>停在 %1 个 token</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CommandList</name>
    <message>
        <location filename="../widgets/models/commandlist.cpp" line="47"/>
        <source>not possible now</source>
        <translation>现在无法执行</translation>
    </message>
    <message>
        <location filename="../widgets/models/commandlist.cpp" line="47"/>
        <source>not possible now: %1</source>
        <translation>现在无法执行：%1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CommandPalette</name>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="85"/>
        <location filename="../widgets/views/commandpalette.cpp" line="86"/>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="90"/>
        <source>Search the commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="91"/>
        <source>Some letters of what to do, of a layer, a run or a teacher</source>
        <translation>操作、层、运行或教师模型名称中的若干字母</translation>
    </message>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="94"/>
        <source>Commands found</source>
        <translation>找到的命令</translation>
    </message>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="133"/>
        <source>Nothing is called that.</source>
        <translation>没有这样的命令。</translation>
    </message>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="135"/>
        <source>This is not possible now.</source>
        <translation>现在无法执行。</translation>
    </message>
    <message>
        <location filename="../widgets/views/commandpalette.cpp" line="135"/>
        <source>Not possible now: %1</source>
        <translation>现在无法执行：%1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ComparePage</name>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="103"/>
        <source>Select two to six runs in the table of runs and press D, or choose Compare in their menu: they stand side by side here.</source>
        <translation>在实验表中选中两到六个实验并按 D，或在右键菜单中选择“比较”：它们会并排显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="104"/>
        <source>Choose runs</source>
        <translation>选择实验</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="169"/>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="175"/>
        <source>Against</source>
        <translation>横轴</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="176"/>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="177"/>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="178"/>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="184"/>
        <source>&amp;Shown curve:</source>
        <translation>显示的曲线(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="184"/>
        <source>Agai&amp;nst:</source>
        <translation>横轴(&amp;N)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="252"/>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="279"/>
        <source>Equal settin&amp;gs too</source>
        <translation>也显示相同的设置(&amp;G)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="284"/>
        <location filename="../widgets/pages/comparepage.cpp" line="291"/>
        <source>Measures and settings that differ</source>
        <translation>指标与不同的设置</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="286"/>
        <source>Δ: less the baseline · *: beyond the errors of both (95 %)</source>
        <translation>Δ：减去基线 · *：超出两者的误差（95 %）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="310"/>
        <source>Make it the &amp;baseline</source>
        <translation>设为基线(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="314"/>
        <source>Take it &amp;out</source>
        <translation>移出比较(&amp;O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="458"/>
        <source>smoothed by %1, measured values behind</source>
        <translation>平滑系数 %1，背后为实测值</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/comparepage.cpp" line="461"/>
        <source>%n values not above 0 cannot be shown</source>
        <translation>
            <numerusform>%n 个不大于 0 的值无法显示</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="318"/>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="319"/>
        <source>Copy as LaT&amp;eX</source>
        <translation>复制为 LaTeX(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="320"/>
        <source>Copy as Mark&amp;down</source>
        <translation>复制为 Markdown(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="172"/>
        <source>Beside it</source>
        <translation>并排</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="184"/>
        <source>Besi&amp;de it:</source>
        <translation>并排(&amp;D)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="179"/>
        <source>compute time</source>
        <translation>计算时间</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="180"/>
        <source>Without the pauses between the sessions of a run that was resumed: gaps more than ten times as long as is usual between two points</source>
        <translation>不含恢复运行的各次会话之间的停顿：比两点之间通常间隔长十倍以上的间隔</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="241"/>
        <source>Values of the curves</source>
        <translation>曲线的值</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="242"/>
        <source>Where the pointer, or ← and →, stands in a plot; Esc: the last values</source>
        <translation>指针或 ←、→ 在图中所处的位置；Esc：最后的值</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="422"/>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/comparepage.cpp" line="464"/>
        <source>%n points not above 0 on the x axis cannot be shown</source>
        <translation>
            <numerusform>x 轴上不大于 0 的 %n 个点无法显示</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="112"/>
        <source>&amp;Curves</source>
        <translation>曲线(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="113"/>
        <source>&amp;Bars</source>
        <translation>柱形(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="209"/>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="211"/>
        <source>&amp;Measure:</source>
        <translation>指标(&amp;M)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="214"/>
        <source>whiskers: 95 % of the held-out data, where the error is known</source>
        <translation>须线：留出数据的 95 %，在误差已知处</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="115"/>
        <source>Te&amp;xts</source>
        <translation>文本(&amp;X)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="90"/>
        <source>Its hybrid is not on this disk: only its numbers came with the workspace. Run it again, and it can write.</source>
        <translation>其混合模型不在此磁盘上：工作区只带来了它的数值。重新运行后即可写作。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="91"/>
        <source>It is still at work: its hybrid comes at the end.</source>
        <translation>它仍在运行：混合模型在结束时产生。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="92"/>
        <source>It left no hybrid that could write: only a distillation that came to its end does.</source>
        <translation>它没有留下能写作的混合模型：只有完成的蒸馏才会留下。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="111"/>
        <source>Views of the compared experiments</source>
        <translation>所比较实验的各个视图</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ComparisonTable</name>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="59"/>
        <source>%1
In the file: %2</source>
        <comment>value of a setting, its name</comment>
        <translation>%1
在文件中：%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="72"/>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="73"/>
        <source>Softmax layers</source>
        <translation>softmax 层</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="128"/>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="130"/>
        <source> ± %1</source>
        <translation> ± %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="131"/>
        <source>
± %1: 95 % of its held-out data</source>
        <translation>
± %1：其留出数据的 95 %</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="140"/>
        <source>
* differs from the baseline beyond the errors of both (95 %, taken as independent)</source>
        <translation>
* 与基线之差超出两者误差（95 %，视为独立）</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="140"/>
        <source>
not to be told from the baseline (95 %, errors taken as independent)</source>
        <translation>
无法与基线区分（95 %，误差视为独立）</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="142"/>
        <source>
better than the baseline</source>
        <translation>
优于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="142"/>
        <source>
worse than the baseline</source>
        <translation>
劣于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="164"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="179"/>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="199"/>
        <source>Measure or setting</source>
        <translation>指标或设置</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="209"/>
        <source>± 95 % of the held-out data. Δ: less the baseline. *: beyond the errors of both (95 %).</source>
        <translation>±：留出数据的 95 % 区间。Δ：与基线之差。*：超出两者误差（95 %）。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/comparisontable.cpp" line="112"/>
        <source>
over %n held-out sequences</source>
        <translation>
            <numerusform>
在 %n 条留出序列上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/comparisontable.cpp" line="109"/>
        <source>
over %n tokens</source>
        <translation>
            <numerusform>
在 %n 个词元上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/comparisontable.cpp" line="110"/>
        <source>
over %n answers</source>
        <translation>
            <numerusform>
在 %n 个答案上</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/comparisontable.cpp" line="112"/>
        <source>
in %n held-out sequences</source>
        <translation>
            <numerusform>
来自 %n 条留出序列</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="114"/>
        <source>
no interval: its result does not say over how many held-out sequences</source>
        <translation>
没有区间：其结果没有说明在多少条留出序列上测得</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="136"/>
        <source>
Δ %1</source>
        <translation>
Δ %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="182"/>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Continuations</name>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="36"/>
        <source>&amp;chat template</source>
        <translation>对话模板(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="36"/>
        <source>Wr&amp;ite</source>
        <translation>生成(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="39"/>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="40"/>
        <source>A text to be continued</source>
        <translation>待续写的文本</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="42"/>
        <source>Who writes</source>
        <translation>由谁生成</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/continuations.cpp" line="43"/>
        <source>Space chooses; up to %n side by side</source>
        <translation>
            <numerusform>空格键选择；最多 %n 个并排</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="89"/>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="90"/>
        <source>0: always the likeliest token</source>
        <translation>0：总取最可能的词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="93"/>
        <location filename="../widgets/pages/continuations.cpp" line="168"/>
        <source>Ctrl+Enter</source>
        <translation>Ctrl+Enter</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="96"/>
        <source>&amp;Tokens:</source>
        <translation>词元数(&amp;T)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="96"/>
        <source>Temper&amp;ature:</source>
        <translation>温度(&amp;A)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="96"/>
        <source>See&amp;d:</source>
        <translation>种子(&amp;D)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="123"/>
        <source>%1, softmax in %2 · KL %3</source>
        <translation>%1，softmax 在 %2 · KL %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="168"/>
        <source>This model has no tokenizer that is understood, so it cannot read a text.</source>
        <translation>此模型没有可识别的分词器，无法读取文本。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="280"/>
        <source>What %1 writes</source>
        <translation>%1 的续写</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="270"/>
        <source>waits for its turn…</source>
        <translation>等待中……</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="332"/>
        <source>writes…</source>
        <translation>生成中……</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="306"/>
        <location filename="../widgets/pages/continuations.cpp" line="344"/>
        <source>The job was stopped before all had written.</source>
        <translation>任务在全部写完之前被停止。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="356"/>
        <source>wrote nothing: the end of the text was its first token</source>
        <translation>没有内容：第一个词元就是文本结束符</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="36"/>
        <source>Cance&amp;l</source>
        <translation>取消(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="216"/>
        <source>Write a prompt and press Ctrl+Enter: each goes on with the likeliest token at every place.</source>
        <translation>写下提示并按 Ctrl+Enter：各模型在每处都以最可能的词元续写。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CostLine</name>
    <message>
        <location filename="../widgets/views/costline.cpp" line="27"/>
        <location filename="../widgets/views/costline.cpp" line="170"/>
        <source>&amp;Time it</source>
        <translation>计时(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="34"/>
        <source>Cost</source>
        <translation>开销</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="37"/>
        <source>Time and memory</source>
        <translation>时间与内存</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="38"/>
        <source>Loads the teacher and times it: seconds, memory and disk on this machine</source>
        <translation>加载教师模型并计时：本机所需的时间、内存和磁盘</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="169"/>
        <source>Time, memory and disk: not known until it is timed.</source>
        <translation>时间、内存和磁盘：计时之前未知。</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="107"/>
        <source>stage 1 trains on %1 tokens, unless an equal one is there</source>
        <translation>第一阶段训练 %1 词元（已有相同的则复用）</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="109"/>
        <source>%1 tokens are read</source>
        <comment>calibration</comment>
        <translation>读取 %1 个词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="111"/>
        <source>phase 2 trains every layer on at most %1 tokens</source>
        <translation>阶段二对每层最多训练 %1 个词元</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/costline.cpp" line="113"/>
        <source>%n students train on %1 tokens in all</source>
        <translation>
            <numerusform>%n 个学生模型共训练 %1 词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="115"/>
        <source>at most %1 tokens go through a model to measure</source>
        <translation>测量至多用 %1 词元通过模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="115"/>
        <source>%1 tokens go through a model to measure</source>
        <translation>测量用 %1 词元通过模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="117"/>
        <source>how many tokens is not known beforehand</source>
        <translation>词元数无法事先得知</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="117"/>
        <source>and more that is not known beforehand</source>
        <translation>以及无法事先得知的部分</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="118"/>
        <source>Cost: %1.</source>
        <translation>开销：%1。</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="118"/>
        <source>next to nothing</source>
        <translation>几乎为零</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="118"/>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="169"/>
        <source>The teacher is being loaded and timed…</source>
        <translation>正在加载教师模型并计时…</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="170"/>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="139"/>
        <source>About %1 on this machine, %2 of memory, %3 on disk.</source>
        <translation>本机约需 %1，内存 %2，磁盘 %3。</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="139"/>
        <source>About %1 on this machine, %2 of memory, %3 on disk, without what is in the workspace already.</source>
        <translation>本机约需 %1，内存 %2，磁盘 %3，工作区中已有的部分不计在内。</translation>
    </message>
    <message>
        <location filename="../widgets/views/costline.cpp" line="141"/>
        <source>Time, memory and disk: not known: %1</source>
        <translation>时间、内存和磁盘未知：%1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CostTable</name>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="27"/>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="28"/>
        <source>Hybrid</source>
        <translation>混合</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="29"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="29"/>
        <source>Of the whole model</source>
        <translation>整个模型的参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="30"/>
        <source>Cache per token</source>
        <translation>每词元缓存</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="30"/>
        <source>Keys and values of the softmax layers, in bfloat16</source>
        <translation>softmax 层的键和值，以 bfloat16 计</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="31"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="31"/>
        <source>Of the linear layers, for one sequence of any length</source>
        <translation>线性层的状态，对任意长度的一个序列</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="33"/>
        <source>Reads at %1k</source>
        <translation>%1k 时每词元读取</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="33"/>
        <source>Bytes that decoding one token reads after so many thousand tokens: weights, cache and state</source>
        <translation>在这么多千词元之后解码一个词元所读取的字节：权重、缓存和状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="34"/>
        <source>Smaller above</source>
        <translation>更小的起点</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="34"/>
        <source>Context from which on cache and state together are smaller than the teacher&apos;s cache</source>
        <translation>从该上下文长度起，缓存与状态之和小于教师的缓存</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="44"/>
        <source>Hybrid: %1</source>
        <translation>混合：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="45"/>
        <source>Teacher: %1</source>
        <translation>教师：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/costtable.cpp" line="70"/>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CurvePlot</name>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="23"/>
        <source>L: logarithmic axis</source>
        <translation>L：对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="28"/>
        <source>training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="44"/>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="106"/>
        <source>The loss of a distillation appears here.</source>
        <translation>蒸馏的损失显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="108"/>
        <source>The loss appears here as soon as stage 2 begins.</source>
        <translation>第二阶段开始后，损失显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="109"/>
        <source>No hybrid with these layers has been distilled yet.
Press “Distil this hybrid”: its loss appears here, live.</source>
        <translation>尚未蒸馏过保留这些层的混合模型。
按“蒸馏此混合模型”，损失会在这里实时显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="134"/>
        <source>last held-out value %1</source>
        <translation>最后的留出值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="136"/>
        <source>last value %1</source>
        <translation>最后的值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="136"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="51"/>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="51"/>
        <source>held out</source>
        <translation>留出</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="51"/>
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CurveReadings</name>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="63"/>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="64"/>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="64"/>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="69"/>
        <source>Values at %1</source>
        <translation>%1处的值</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="69"/>
        <source>Last values</source>
        <translation>最后的值</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="81"/>
        <source>it has no such curve</source>
        <translation>没有这条曲线</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="83"/>
        <source>begins at %1</source>
        <translation>始于 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="85"/>
        <source>ends at %1</source>
        <translation>止于 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="86"/>
        <source>%1, measured at %2</source>
        <translation>%1，测于 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="106"/>
        <source>%1, %2: %3</source>
        <comment>experiment, curve, value</comment>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curvereadings.cpp" line="117"/>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentDialog</name>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="79"/>
        <source>Score layers</source>
        <translation>为各层评分</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="79"/>
        <source>Distil the hybrid</source>
        <translation>蒸馏混合模型</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="79"/>
        <source>Calibrate linear layers</source>
        <translation>校准线性层</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="80"/>
        <source>Score</source>
        <translation>评分</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="80"/>
        <source>Distil</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="80"/>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="139"/>
        <source>Data and lengths are the demo&apos;s own: its recall task, with the lengths that were measured for it.</source>
        <translation>数据和长度是演示自带的：其召回任务，以及为它测定的长度。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="139"/>
        <source>The data is the demo&apos;s own: its recall task.</source>
        <translation>数据为演示自带：其召回任务。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="157"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="165"/>
        <source>What it measures</source>
        <translation>测量内容</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="187"/>
        <source>Phase 1 sets decays and write gates from what the teacher&apos;s attention does; phase 2 aligns every layer with the teacher&apos;s output.
The others are starts to compare them with.</source>
        <translation>阶段一按教师注意力的行为设定衰减和写入门；阶段二使每层与教师输出对齐。
其余为用作对照的初始化方式。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="188"/>
        <source> steps</source>
        <translation> 步</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="190"/>
        <source>all, or for example 0-3, 5</source>
        <translation>全部，或例如 0-3, 5</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="191"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="193"/>
        <source>Sta&amp;rt by:</source>
        <translation>初始化方式(&amp;R)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="194"/>
        <source>Phase &amp;2:</source>
        <translation>阶段二(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="195"/>
        <source>La&amp;yers:</source>
        <translation>层(&amp;Y)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="207"/>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="230"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="239"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="240"/>
        <source> tokens</source>
        <translation> 词元</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="231"/>
        <source> sequences</source>
        <translation> 条序列</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="251"/>
        <source>Every random number follows from it: the same seed measures the same again, another one how much chance there is in it</source>
        <translation>所有随机数都由它决定：相同的种子会测得相同的结果，不同的种子可看出其中有多少偶然性</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="256"/>
        <source>Equal run</source>
        <translation>相同的实验</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="258"/>
        <source>S&amp;eed:</source>
        <translation>种子(&amp;E)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="366"/>
        <source>An equal run exists: %1. Measured again with this seed, its numbers come out the same.</source>
        <translation>已有相同的实验：%1。用此种子重新测量会得到相同的数值。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="385"/>
        <source>Layers are numbers and ranges with commas between, such as 0-3, 5.</source>
        <translation>层应为以逗号分隔的数字和范围，例如 0-3, 5。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="210"/>
        <source>Add &amp;files…</source>
        <translation>添加文件(&amp;F)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="210"/>
        <source>Add f&amp;older…</source>
        <translation>添加文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="210"/>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="224"/>
        <source>Texts (.txt, .md, .rst, .jsonl):</source>
        <translation>文本（.txt、.md、.rst、.jsonl）：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="169"/>
        <source>&amp;Selector:</source>
        <translation>选择器(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="232"/>
        <source>Sequence &amp;length:</source>
        <translation>序列长度(&amp;L)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="241"/>
        <source>Stage &amp;1, all layers together:</source>
        <translation>阶段 1，所有层一起(&amp;1)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="242"/>
        <source>Stage &amp;2:</source>
        <translation>阶段 2(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="242"/>
        <source>Stage &amp;2, each student:</source>
        <translation>阶段 2，每个学生模型(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="234"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="243"/>
        <source>&amp;Held out:</source>
        <translation>留出(&amp;H)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="303"/>
        <source>Texts to train and measure on</source>
        <translation>用于训练和测量的文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="303"/>
        <source>Texts (*.txt *.text *.md *.rst *.jsonl)</source>
        <translation>文本 (*.txt *.text *.md *.rst *.jsonl)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="309"/>
        <source>A folder of texts</source>
        <translation>文本文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="323"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="325"/>
        <source>needs the teacher&apos;s tokenizer</source>
        <translation>需要教师模型的分词器</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="333"/>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="386"/>
        <source>Add at least one text.</source>
        <translation>请至少添加一个文本。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentList</name>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="111"/>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="123"/>
        <source>Edit notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="150"/>
        <source>Add the tag %1</source>
        <translation>添加标签 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="165"/>
        <source>Remove the tag %1</source>
        <translation>移除标签 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="170"/>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="170"/>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="205"/>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="205"/>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="175"/>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="175"/>
        <source>Unlock</source>
        <translation>解锁</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentTable</name>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="81"/>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="82"/>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="83"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="84"/>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="85"/>
        <source>interrupted</source>
        <translation>被中断</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="38"/>
        <source>train a teacher</source>
        <translation>训练教师</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="38"/>
        <source>inspect</source>
        <translation>检查</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="39"/>
        <source>align</source>
        <translation>对齐</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="39"/>
        <source>calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="40"/>
        <source>score</source>
        <translation>评分</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="40"/>
        <source>distil</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="41"/>
        <source>evaluate</source>
        <translation>评测</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="41"/>
        <source>generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="42"/>
        <source>pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="98"/>
        <location filename="../widgets/models/experimenttable.cpp" line="209"/>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="111"/>
        <source>%1, keep %2</source>
        <comment>mixer, softmax layers</comment>
        <translation>%1，保留 %2</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/experimenttable.cpp" line="113"/>
        <source>%1, keep %n layers</source>
        <comment>mixer</comment>
        <translation>
            <numerusform>%1，保留 %n 层</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="121"/>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="311"/>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="311"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="311"/>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="312"/>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="312"/>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="312"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="313"/>
        <source>Selector</source>
        <translation>选择器</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="313"/>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="313"/>
        <source>Softmax layers</source>
        <translation>softmax 层</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="318"/>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="319"/>
        <source>Duration</source>
        <translation>用时</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="320"/>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="321"/>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="322"/>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="323"/>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="425"/>
        <source>%1 ± %2 (%3)</source>
        <translation>%1 ± %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="438"/>
        <source>  Δ %1</source>
        <translation>  Δ %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="453"/>
        <source>%1 (%2 seeds)</source>
        <translation>%1（%2 个种子）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="489"/>
        <location filename="../widgets/models/experimenttable.cpp" line="517"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="497"/>
        <source>
as the baseline</source>
        <translation>
与基线相同</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="498"/>
        <source>
another value than the baseline&apos;s</source>
        <translation>
与基线的值不同</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="498"/>
        <source>
better than the baseline</source>
        <translation>
优于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="498"/>
        <source>
worse than the baseline</source>
        <translation>
劣于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="200"/>
        <location filename="../widgets/models/experimenttable.cpp" line="209"/>
        <location filename="../widgets/models/experimenttable.cpp" line="219"/>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="219"/>
        <source>not pinned</source>
        <translation>未固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="311"/>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="200"/>
        <location filename="../widgets/models/experimenttable.cpp" line="209"/>
        <location filename="../widgets/models/experimenttable.cpp" line="221"/>
        <source>locked</source>
        <translation>已锁定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="221"/>
        <source>not locked</source>
        <translation>未锁定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="483"/>
        <source>Locked: it can be neither renamed nor thrown away. L unlocks it.</source>
        <translation>已锁定：不能重命名，也不能丢弃。按 L 解锁。</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="70"/>
        <source>mean ± 95 % interval</source>
        <translation>均值 ± 95 % 区间</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="71"/>
        <source>mean ± standard error</source>
        <translation>均值 ± 标准误</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="72"/>
        <source>mean ± standard deviation</source>
        <translation>均值 ± 标准差</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="73"/>
        <source>mean, lowest to highest</source>
        <translation>均值，最低至最高</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="422"/>
        <source>%1 (%2)</source>
        <comment>mean, number of seeds</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="424"/>
        <source>%1 [%2 … %3] (%4)</source>
        <comment>mean, lowest, highest, number of seeds</comment>
        <translation>%1 [%2 … %3]（%4）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="491"/>
        <source>
%1 of %2 seeds: %3 to %4</source>
        <comment>mean ± 95 % interval</comment>
        <translation>
%2 个种子的%1：%3 至 %4</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="538"/>
        <source>%1
%2 (number of seeds)</source>
        <comment>a measure, mean ± 95 % interval</comment>
        <translation>%1
%2（种子数）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="612"/>
        <source>%1, %2</source>
        <comment>a measure, its spread</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="616"/>
        <source>lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="617"/>
        <source>highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="619"/>
        <source>standard error</source>
        <translation>标准误</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="619"/>
        <source>standard deviation</source>
        <translation>标准差</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExportDialog</name>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="89"/>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="130"/>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="150"/>
        <source>one column</source>
        <translation>单栏</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="151"/>
        <source>the whole text</source>
        <translation>整个版心</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="152"/>
        <source>another width</source>
        <translation>其他宽度</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="155"/>
        <source> in</source>
        <translation> 英寸</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>Width in inches</source>
        <translation>宽度（英寸）</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="159"/>
        <source>Height of width; 0.618 is the golden section</source>
        <translation>高与宽之比；0.618 为黄金分割</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="163"/>
        <source>the program&apos;s</source>
        <translation>程序字体</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="169"/>
        <source>lines behind the data</source>
        <translation>数据后的网格线</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="170"/>
        <source>lines along the axes</source>
        <translation>沿坐标轴的线</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="172"/>
        <source>&amp;Venue:</source>
        <translation>会议或期刊(&amp;V)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="173"/>
        <source>&amp;Width:</source>
        <translation>宽度(&amp;W)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="175"/>
        <source>&amp;Height of width:</source>
        <translation>高宽比(&amp;H)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="178"/>
        <source>Size on paper</source>
        <translation>纸面尺寸</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="179"/>
        <source>Size:</source>
        <translation>尺寸：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="180"/>
        <source>Fo&amp;nt:</source>
        <translation>字体(&amp;N)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="181"/>
        <source>&amp;Look:</source>
        <translation>样式(&amp;L)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="192"/>
        <source>&amp;PDF</source>
        <translation>PDF(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="192"/>
        <source>Vectors, for LaTeX</source>
        <translation>矢量图，用于 LaTeX</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="192"/>
        <source>&amp;SVG</source>
        <translation>SVG(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="192"/>
        <source>Vectors, for the web and for editing</source>
        <translation>矢量图，用于网页和编辑</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="192"/>
        <source>PN&amp;G</source>
        <translation>PNG(&amp;G)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="192"/>
        <source>Pixels, with the true size</source>
        <translation>像素图，带真实尺寸</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="193"/>
        <source>&amp;TikZ</source>
        <translation>TikZ(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="193"/>
        <source>A pgfplots document and its numbers</source>
        <translation>pgfplots 文档及其数据</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="193"/>
        <source>&amp;CSV</source>
        <translation>CSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="193"/>
        <source>Its numbers, for scripts and spreadsheets</source>
        <translation>图中数据，用于脚本和电子表格</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="194"/>
        <source>LaTe&amp;X table</source>
        <translation>LaTeX 表格(&amp;X)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="194"/>
        <source>Its numbers, with booktabs and siunitx</source>
        <translation>图中数据，使用 booktabs 和 siunitx</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="194"/>
        <source>&amp;Markdown</source>
        <translation>Markdown(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="194"/>
        <source>Its numbers, for notes</source>
        <translation>图中数据，用于笔记</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="206"/>
        <source>%1 dots per inch</source>
        <translation>每英寸 %1 点</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="209"/>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="215"/>
        <source>Without an ending: every format adds its own</source>
        <translation>不带扩展名：每种格式自行添加</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="216"/>
        <source>&amp;also add to figures.json</source>
        <translation>同时加入 figures.json(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="217"/>
        <source>In the same folder: stillroom --figures makes all its figures again when runs change</source>
        <translation>在同一文件夹中：实验变化后，stillroom --figures 会重新生成其中所有图</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="219"/>
        <source>Formats:</source>
        <translation>格式：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="220"/>
        <source>PNG at:</source>
        <translation>PNG 分辨率：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="221"/>
        <source>F&amp;older:</source>
        <translation>文件夹(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="223"/>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="225"/>
        <source>&amp;File name:</source>
        <translation>文件名(&amp;F)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="267"/>
        <source>Give the files a name.</source>
        <translation>请为文件命名。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="269"/>
        <source>Choose at least one format.</source>
        <translation>请至少选择一种格式。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="269"/>
        <source>The file name may have letters from A to Z, digits, “-”, “_” and “.”, so that TeX can read it.</source>
        <translation>文件名只能含字母 A 至 Z、数字、“-”、“_”和“.”，以便 TeX 读取。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="283"/>
        <source>%1 in × %2 in = %3 × %4 pt</source>
        <translation>%1 英寸 × %2 英寸 = %3 × %4 点</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="325"/>
        <source>A folder for the files</source>
        <translation>存放文件的文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="349"/>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/dialogs/exportdialog.cpp" line="350"/>
        <source>%n files are there already: %1.</source>
        <translation>
            <numerusform>已有 %n 个文件：%1。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="357"/>
        <source>&amp;Make it</source>
        <translation>创建(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="358"/>
        <source>Choose a folder for the files.</source>
        <translation>请选择存放文件的文件夹。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="358"/>
        <source>There is no folder “%1” yet.</source>
        <translation>文件夹“%1”尚不存在。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="358"/>
        <source>“%1” is a file: choose a folder.</source>
        <translation>“%1”是文件：请选择文件夹。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="370"/>
        <source>The folder “%1” cannot be made: choose another one.</source>
        <translation>无法创建文件夹“%1”：请另选一个。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="398"/>
        <source>Written: %1.</source>
        <translation>已写入：%1。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="397"/>
        <source>Cop&amp;y for LaTeX</source>
        <translation>为 LaTeX 复制(&amp;Y)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="128"/>
        <source>Copied: the lines that include them in a document.</source>
        <translation>已复制：在文档中引用这些文件的各行。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="400"/>
        <source>The folder “%1” cannot be written: choose another one.</source>
        <translation>无法写入文件夹“%1”：请另选一个。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::FieldForm</name>
    <message>
        <location filename="../widgets/dialogs/fieldform.cpp" line="60"/>
        <source>%1:</source>
        <translation>%1：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldform.cpp" line="92"/>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::FigureSheet</name>
    <message>
        <location filename="../widgets/views/figuresheet.cpp" line="15"/>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::FilterMenu</name>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="13"/>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="14"/>
        <source>Searches that were saved (Ctrl+Shift+F)</source>
        <translation>已保存的搜索（Ctrl+Shift+F）</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="17"/>
        <source>&amp;Save this search as a filter…</source>
        <translation>将此搜索保存为筛选(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="18"/>
        <source>&amp;Rename a filter…</source>
        <translation>重命名筛选(&amp;R)…</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="19"/>
        <source>&amp;Delete a filter…</source>
        <translation>删除筛选(&amp;D)…</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="20"/>
        <source>Show the saved filters</source>
        <translation>显示已保存的筛选</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="42"/>
        <source>Filter: %1</source>
        <translation>筛选：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="78"/>
        <source>Save the search</source>
        <translation>保存搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="78"/>
        <source>Name (one that is there gets this search instead):</source>
        <translation>名称（同名者将改为此搜索）：</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="97"/>
        <location filename="../widgets/views/filtermenu.cpp" line="101"/>
        <source>Rename a filter</source>
        <translation>重命名筛选</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="97"/>
        <location filename="../widgets/views/filtermenu.cpp" line="108"/>
        <source>Filter:</source>
        <translation>筛选：</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="101"/>
        <source>New name of %1:</source>
        <translation>%1 的新名称：</translation>
    </message>
    <message>
        <location filename="../widgets/views/filtermenu.cpp" line="108"/>
        <source>Delete a filter</source>
        <translation>删除筛选</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::FormSection</name>
    <message>
        <location filename="../widgets/dialogs/formsection.cpp" line="27"/>
        <source>something is wrong here</source>
        <translation>此处有误</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/formsection.cpp" line="73"/>
        <source>open</source>
        <translation>已展开</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/formsection.cpp" line="73"/>
        <source>closed</source>
        <translation>已折叠</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/dialogs/formsection.cpp" line="84"/>
        <source>%n changed</source>
        <translation>
            <numerusform>%n 项已更改</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadDetail</name>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="47"/>
        <location filename="../widgets/pages/headdetail.cpp" line="58"/>
        <source>teacher: attention</source>
        <translation>教师：注意力</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="35"/>
        <location filename="../widgets/pages/headdetail.cpp" line="46"/>
        <location filename="../widgets/pages/headdetail.cpp" line="59"/>
        <source>student: equivalent map</source>
        <translation>学生：等效映射</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="61"/>
        <source>The picked head</source>
        <translation>所选的头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="62"/>
        <source>With what weight each token enters what the head reads, before norm and gate: o = M v</source>
        <translation>归一化和门之前，每个词元以多大权重进入该头的读出：o = M v</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="54"/>
        <source>Pick a head in the map</source>
        <translation>请在热图中选择一个头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="54"/>
        <source>Layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="17"/>
        <source>student before: map M</source>
        <translation>学生（之前）：映射 M</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="17"/>
        <source>student after: map M</source>
        <translation>学生（之后）：映射 M</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="17"/>
        <source>student after phase 1: map M</source>
        <translation>学生，阶段一之后：映射 M</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="24"/>
        <source>Pick a head.</source>
        <translation>请选择一个头。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="28"/>
        <source>The maps are being read…</source>
        <translation>正在读取映射图…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="28"/>
        <source>This calibration
kept no maps.</source>
        <translation>此次校准
未保存映射图。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadDistributionPlot</name>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="40"/>
        <source>Distribution over the heads</source>
        <translation>各头的分布</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="145"/>
        <source>How a statistic lies over the heads appears here.</source>
        <translation>统计量在各头上的分布会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="155"/>
        <source>%1: %2</source>
        <comment>which difference, of what</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="156"/>
        <source>%1, logarithmic</source>
        <translation>%1，对数刻度</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="193"/>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="193"/>
        <source>heads</source>
        <translation>头数</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/headdistributionplot.cpp" line="241"/>
        <source>%n heads; the picked one has %1</source>
        <translation>
            <numerusform>%n 个头；所选的头为 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/headdistributionplot.cpp" line="241"/>
        <source>%n heads</source>
        <translation>
            <numerusform>%n 个头</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadMapPlot</name>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="50"/>
        <source>Heat map of the heads</source>
        <translation>各头热图</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="51"/>
        <source>← → ↑ ↓ Home End</source>
        <translation>← → ↑ ↓ Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="51"/>
        <source>Walk from head to head</source>
        <translation>逐头移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="55"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="90"/>
        <source>Layers of the map</source>
        <translation>热图的层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="91"/>
        <source>Heads of the map</source>
        <translation>热图的头</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="172"/>
        <source>The calibration is being read…</source>
        <translation>正在读取校准结果…</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="172"/>
        <source>There is nothing to show of this calibration.</source>
        <translation>此次校准没有可显示的内容。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="172"/>
        <source>A calibration&apos;s heads appear here.</source>
        <translation>校准的各头会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="176"/>
        <source>the whole layer</source>
        <translation>整层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="176"/>
        <source>query head</source>
        <translation>查询头</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="176"/>
        <source>head with a state</source>
        <translation>带状态的头</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="224"/>
        <source>%1, logarithmic</source>
        <translation>%1，对数刻度</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="224"/>
        <source>%1: %2</source>
        <comment>which difference, of what</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="339"/>
        <source> The chosen hybrid keeps its softmax.</source>
        <translation> 所选混合模型保留其 softmax。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="341"/>
        <source>Layer %1 was not calibrated.</source>
        <translation>第 %1 层未校准。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="342"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="342"/>
        <source>Layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="345"/>
        <source>%1: %2 %3.</source>
        <translation>%1：%2 %3。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="346"/>
        <source>%1: %2 %3, before %4.</source>
        <translation>%1：%2 %3，之前 %4。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/headmapplot.cpp" line="358"/>
        <source>%n layers; the arrow keys walk from head to head</source>
        <translation>
            <numerusform>%n 层；方向键在各头之间移动</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadNumbers</name>
    <message>
        <location filename="../widgets/pages/headnumbers.cpp" line="30"/>
        <source>statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headnumbers.cpp" line="30"/>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headnumbers.cpp" line="29"/>
        <source>The head&apos;s numbers, at every moment</source>
        <translation>该头在各时刻的数值</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headnumbers.cpp" line="30"/>
        <source>phase 1</source>
        <translation>阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headnumbers.cpp" line="30"/>
        <source>phase 2</source>
        <translation>阶段二</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headnumbers.cpp" line="28"/>
        <source>The head of these numbers</source>
        <translation>这些数值所属的头</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadProfilePlot</name>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="50"/>
        <source>Attention by lag, with the decay</source>
        <translation>按滞后的注意力与衰减</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="50"/>
        <source>Entropy by position</source>
        <translation>按位置的熵</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="51"/>
        <source>lag (tokens)</source>
        <translation>滞后（词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="51"/>
        <source>position (tokens)</source>
        <translation>位置（词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="52"/>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="52"/>
        <source>entropy (nats)</source>
        <translation>熵（纳特）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="54"/>
        <location filename="../widgets/plots/headprofileplot.cpp" line="55"/>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="55"/>
        <source>decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="56"/>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="56"/>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="128"/>
        <source>Pick a head.</source>
        <translation>请选择一个头。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="128"/>
        <source>Not measured.</source>
        <translation>未测量。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="151"/>
        <source>%1 of the attention at lag 0, %2 at lag 1; half-life %3 tokens, target %4</source>
        <translation>滞后 0 处占注意力的 %1，滞后 1 处占 %2；半衰期 %3 词元，目标 %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="173"/>
        <source>%1 nats at the end</source>
        <translation>末端 %1 纳特</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HiddenCosinePlot</name>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="34"/>
        <source>Cosine of hidden states against depth</source>
        <translation>隐状态余弦随深度的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="35"/>
        <source>after block</source>
        <translation>在此块之后</translation>
    </message>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="36"/>
        <source>cosine of hidden states</source>
        <translation>隐状态的余弦</translation>
    </message>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="103"/>
        <source>%1: %2 at the end</source>
        <comment>moment, cosine</comment>
        <translation>%1：末端 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="108"/>
        <source>This calibration did not measure the student as a whole: calibrate again to see it.</source>
        <translation>此次校准没有测量整个学生模型：重新校准即可查看。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="108"/>
        <source>How the student&apos;s states turn away from the teacher&apos;s appears here.</source>
        <translation>学生的状态如何偏离教师，会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/hiddencosineplot.cpp" line="109"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HybridStrip</name>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="26"/>
        <source>Hybrid strip</source>
        <translation>混合条</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="27"/>
        <source>← → Home End</source>
        <translation>← → Home End</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="27"/>
        <source>Walk along the layers</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="28"/>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="28"/>
        <source>Keep the selected layer as softmax, or let it go</source>
        <translation>将所选层保留为 softmax，或不再保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="70"/>
        <source>Layer %1: softmax, kept</source>
        <translation>第 %1 层：softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="70"/>
        <source>Layer %1: becomes %2</source>
        <translation>第 %1 层：变为 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="71"/>
        <source>Layer %1: softmax</source>
        <translation>第 %1 层：softmax</translation>
    </message>
    <message>
        <location filename="../widgets/views/hybridstrip.cpp" line="73"/>
        <source>score %1 ± %2</source>
        <translation>得分 %1 ± %2</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="80"/>
        <source>%n of the layers stay softmax</source>
        <translation>
            <numerusform>%n 层保持 softmax</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/hybridstrip.cpp" line="80"/>
        <source>%n layers, all softmax</source>
        <translation>
            <numerusform>共 %n 层，全部为 softmax</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Inspector</name>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="281"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="78"/>
        <source>In the hybrid</source>
        <translation>在混合模型中</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="26"/>
        <source>Copy key</source>
        <translation>复制键</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="49"/>
        <source>Copy the key: the folder of artifacts/ in the workspace, and the name of a model that it made</source>
        <translation>复制键：工作区 artifacts/ 中的文件夹名，也是它生成的模型的名称</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="78"/>
        <source>softmax, kept</source>
        <translation>softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="78"/>
        <source>becomes %1</source>
        <translation>变为 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="90"/>
        <location filename="../widgets/views/inspector.cpp" line="95"/>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="90"/>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="95"/>
        <source>KL gain</source>
        <translation>KL 增益</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="95"/>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="97"/>
        <source>Held-out KL</source>
        <translation>留出 KL</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="97"/>
        <source>%1, SE %2 nats/token</source>
        <translation>%1，标准误 %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="115"/>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="115"/>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="125"/>
        <source>Settled</source>
        <translation>是否确定</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="125"/>
        <source>no: within the error of the K boundary</source>
        <translation>否：在 K 边界的误差之内</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="125"/>
        <source>yes, at this K</source>
        <translation>是，在此 K 下</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="100"/>
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="101"/>
        <source>Training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="216"/>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="216"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="221"/>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="222"/>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="223"/>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="224"/>
        <source>Trained on</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="224"/>
        <source>%1 tokens</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="225"/>
        <source>Softmax layers</source>
        <translation>softmax 层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="231"/>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="232"/>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="233"/>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="234"/>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="279"/>
        <source>Click a layer, or walk with the arrow keys, to see its numbers here. Esc comes back.</source>
        <translation>点击一层，或用方向键移动，在此查看其数值。按 Esc 返回。</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="283"/>
        <source>No teacher</source>
        <translation>无教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="183"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="95"/>
        <source>%1 ± %2 nats/token</source>
        <translation>%1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="102"/>
        <source>Selector</source>
        <translation>选择器</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="103"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="184"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="185"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="185"/>
        <source>%1 query, %2 key/value</source>
        <translation>%1 个查询头，%2 个键/值头</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="120"/>
        <source>Rank, 95 %</source>
        <translation>名次（95 %）</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="120"/>
        <source>%1, whichever sequences are held out</source>
        <translation>%1，与保留哪些序列无关</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="120"/>
        <source>%1 to %2, by other held-out sequences</source>
        <translation>%1 至 %2（换用其他保留序列时）</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="123"/>
        <source>Among the best %1</source>
        <translation>位于前 %1 名</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="123"/>
        <source>in %1 % of draws</source>
        <translation>占抽样的 %1 %</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/inspector.cpp" line="148"/>
        <source>%1 of %n choices</source>
        <translation>
            <numerusform>%n 个选择中的 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/inspector.cpp" line="152"/>
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="153"/>
        <source>Kept at K = %1 by</source>
        <translation>K = %1 时保留它的</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="173"/>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="173"/>
        <source>Heads: %1</source>
        <translation>各头：%1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::InterruptedLine</name>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="26"/>
        <source>Resu&amp;me</source>
        <translation>继续(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="26"/>
        <source>&amp;Keep</source>
        <translation>保留(&amp;K)</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="26"/>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="27"/>
        <source>They go into the queue, each from its last checkpoint</source>
        <translation>加入队列，各自从最后的检查点继续</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="28"/>
        <source>They go into the trash of the Runs page, which can be undone (Ctrl+Z)</source>
        <translation>移到“实验”页的回收站，可以撤销（Ctrl+Z）</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="29"/>
        <source>They stay as they are, and you are not asked again</source>
        <translation>保持原样，不再询问</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="40"/>
        <source>%1 (%2)</source>
        <comment>job, teacher</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="42"/>
        <source>%1: no checkpoint, it begins anew</source>
        <translation>%1：没有检查点，将从头开始</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="45"/>
        <source>%1: checkpoint at step %2, %3</source>
        <comment>job, step, when</comment>
        <translation>%1：检查点在第 %2 步，%3</translation>
    </message>
    <message>
        <location filename="../widgets/views/interruptedline.cpp" line="46"/>
        <source>%1: checkpoint at %2 tokens, %3</source>
        <comment>job, tokens, when</comment>
        <translation>%1：检查点在 %2 个词元，%3</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/interruptedline.cpp" line="61"/>
        <source>%1; and %n more</source>
        <translation>
            <numerusform>%1；另有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/interruptedline.cpp" line="62"/>
        <source>%n jobs were interrupted. %1.</source>
        <translation>
            <numerusform>%n 个任务被中断。%1。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobHistory</name>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="149"/>
        <source>running elsewhere</source>
        <translation>在别处运行</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="175"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="176"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="177"/>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="178"/>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="179"/>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="180"/>
        <source>Ended</source>
        <translation>结束于</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="181"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobLog</name>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="35"/>
        <source>Computes on %1 in %2 (%3)</source>
        <translation>在 %1 上以 %2 计算（%3）</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/joblog.cpp" line="35"/>
        <source>%n threads</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="37"/>
        <source>Goes on where it was left</source>
        <translation>从中断处继续</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="37"/>
        <source>Begins</source>
        <translation>开始</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="42"/>
        <source>%1: step %2 of %3</source>
        <translation>%1：第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="47"/>
        <source>All layers linear</source>
        <translation>全部线性层</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="47"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="48"/>
        <source>%1: %2 ± %3 %4</source>
        <comment>layer, score, error, unit</comment>
        <translation>%1：%2 ± %3 %4</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="49"/>
        <source>%1: %2 %3</source>
        <comment>layer, score, unit</comment>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="52"/>
        <source>Table “%1”</source>
        <translation>表格“%1”</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="53"/>
        <source>Keeps %1 in %2</source>
        <translation>%1 保存在 %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="55"/>
        <source>Checkpoint at step %1</source>
        <translation>第 %1 步的检查点</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="57"/>
        <source>Finished after %1</source>
        <translation>完成，用时 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="59"/>
        <source>Stopped at the last step</source>
        <translation>停在最后一步</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="243"/>
        <source>problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="243"/>
        <source>notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="244"/>
        <source>%1 (×%2)</source>
        <comment>message, how often</comment>
        <translation>%1（×%2）</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="279"/>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="279"/>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="279"/>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobNotifier</name>
    <message>
        <location filename="../widgets/views/jobnotifier.cpp" line="53"/>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobnotifier.cpp" line="55"/>
        <source>%1 is finished</source>
        <translation>%1 已完成</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobnotifier.cpp" line="55"/>
        <source>It took %1.</source>
        <translation>用时 %1。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobQueue</name>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="44"/>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="45"/>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="46"/>
        <source>pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="47"/>
        <source>cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="48"/>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="228"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="255"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="256"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="257"/>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="258"/>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="259"/>
        <source>Left in this phase</source>
        <translation>本阶段剩余</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="260"/>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="261"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobRunner</name>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="31"/>
        <source>Remove the job</source>
        <translation>移除任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="53"/>
        <source>Move the job</source>
        <translation>移动任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="83"/>
        <source>%1 with these settings is in the queue already.</source>
        <translation>相同设置的“%1”已在队列中。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/jobrunner.cpp" line="90"/>
        <source>%1 is in the queue: it begins after %n jobs.</source>
        <translation>
            <numerusform>%1 已加入队列：前面还有 %n 个任务。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="90"/>
        <source>%1 is in the queue, which is held: no job begins.</source>
        <translation>%1 已加入队列；队列已暂停派发，不会开始任何任务。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="186"/>
        <source>%1 failed. The queue goes on: %2.</source>
        <translation>%1 失败。队列继续：%2。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="187"/>
        <source>%1 is paused. The queue goes on: %2.</source>
        <translation>%1 已暂停。队列继续：%2。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="188"/>
        <source>%1 was cancelled. The queue goes on: %2.</source>
        <translation>%1 已取消。队列继续：%2。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="229"/>
        <source>Cancel all jobs</source>
        <translation>取消全部任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="236"/>
        <source>All jobs are cancelled: the queue is empty.</source>
        <translation>全部任务已取消：队列为空。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsPanel</name>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="106"/>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="107"/>
        <source>Queue of jobs</source>
        <translation>任务队列</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="108"/>
        <source>History of jobs</source>
        <translation>任务历史</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="109"/>
        <source>Nothing runs and nothing waits. What you start while a job runs waits here for its turn.</source>
        <translation>没有正在运行或等待的任务。任务运行时启动的实验会在这里排队。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="109"/>
        <location filename="../widgets/views/jobspanel.cpp" line="249"/>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="110"/>
        <source>No job has run in this workspace yet. Score the layers of a teacher (Ctrl+R).</source>
        <translation>此工作区还没有运行过任务。请先给教师模型的各层评分（Ctrl+R）。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="110"/>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="111"/>
        <source>Hold the &amp;queue</source>
        <translation>暂停派发队列(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="112"/>
        <source>What runs goes on; no further job begins until this is taken back</source>
        <translation>正在运行的任务继续；取消勾选之前不再开始新任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="114"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="115"/>
        <source>What can be done with the chosen job</source>
        <translation>可以对所选任务执行的操作</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="137"/>
        <source>Log of the job</source>
        <translation>任务日志</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="145"/>
        <source>&amp;Copy the log</source>
        <translation>复制日志(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="169"/>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="170"/>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="171"/>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="172"/>
        <location filename="../widgets/views/jobspanel.cpp" line="264"/>
        <source>Remo&amp;ve</source>
        <translation>移除(&amp;V)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="174"/>
        <source>&amp;Earlier</source>
        <translation>提前(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="175"/>
        <source>&amp;Later</source>
        <translation>推后(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="177"/>
        <source>&amp;Show the run</source>
        <translation>显示运行(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="178"/>
        <source>Copy the command l&amp;ine</source>
        <translation>复制命令行(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="182"/>
        <source>Cancel &amp;all jobs</source>
        <translation>取消全部任务(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="249"/>
        <source>Queue (%1)</source>
        <translation>队列 (%1)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="264"/>
        <source>Mo&amp;ve to the trash</source>
        <translation>移到回收站(&amp;V)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="279"/>
        <source>Pinned runs stay: unpin this one on the Runs page to throw it away.</source>
        <translation>固定的运行不会移走：请先在“实验”页取消固定。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="300"/>
        <source>The log of the chosen job stands here.</source>
        <translation>所选任务的日志显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="302"/>
        <source>This job has not begun: its log is empty.</source>
        <translation>此任务尚未开始：日志为空。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="304"/>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="304"/>
        <source>Log: %1</source>
        <translation>日志：%1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="277"/>
        <source>Locked runs stay: unlock this one on the Runs page to throw it away.</source>
        <translation>已锁定的运行不会移走：请先在“实验”页解锁。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsStrip</name>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="58"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="61"/>
        <source>Progress of the job</source>
        <translation>任务进度</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="202"/>
        <source>Stop after the current step; a checkpoint of it is kept (Ctrl+.)</source>
        <translation>在当前步骤后停止；会保留检查点 (Ctrl+.)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="202"/>
        <source>Take the paused job out of the queue; its last checkpoint is kept (Ctrl+.)</source>
        <translation>把已暂停的任务移出队列；保留其最后一个检查点（Ctrl+.）</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="266"/>
        <source>Cancelling: the current step is being finished…</source>
        <translation>正在取消：等待当前步骤完成…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="270"/>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="221"/>
        <source>%1: finished after %2.</source>
        <translation>%1：完成，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="35"/>
        <source>Pa&amp;use</source>
        <translation>暂停(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="35"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="36"/>
        <source>Res&amp;ume</source>
        <translation>继续(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="36"/>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="43"/>
        <source>Queue, history and logs of the jobs (Ctrl+J)</source>
        <translation>任务的队列、历史和日志（Ctrl+J）</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="62"/>
        <source>Stop at a checkpoint and keep the job in the queue; the next one begins (Ctrl+P)</source>
        <translation>在检查点停下并保留在队列中；下一个任务随即开始 (Ctrl+P)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="63"/>
        <source>Go on from the last checkpoint, in the same run (Ctrl+P)</source>
        <translation>在同一次运行中从最后的检查点继续 (Ctrl+P)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="64"/>
        <source>It stays among the runs as it is, and is not offered here again</source>
        <translation>它原样留在运行列表中，这里不再提供继续</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="85"/>
        <source>Cancel the &amp;job</source>
        <translation>取消任务(&amp;J)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="86"/>
        <source>Go on</source>
        <translation>继续运行</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/jobsstrip.cpp" line="172"/>
        <source>%n wait</source>
        <comment>jobs</comment>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="181"/>
        <source>%1 is paused.</source>
        <translation>%1 已暂停。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="181"/>
        <source>%1 is paused (%2 of %3).</source>
        <comment>job, share, phase</comment>
        <translation>%1 已暂停（%3 的 %2）。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/jobsstrip.cpp" line="184"/>
        <source>The queue is held: %n jobs wait.</source>
        <translation>
            <numerusform>队列已暂停派发：%n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="188"/>
        <source>%1 was cancelled; it can go on from its last checkpoint.</source>
        <translation>%1 已取消；可以从最后一个检查点继续。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="188"/>
        <source>%1 was interrupted; it can go on from its last checkpoint.</source>
        <translation>%1 被中断；可以从最后一个检查点继续。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="223"/>
        <source>%1: failed after %2.</source>
        <translation>%1：失败，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="225"/>
        <source>%1: cancelled after %2.</source>
        <translation>%1：已取消，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="266"/>
        <source>Pausing: the current step is being finished…</source>
        <translation>正在暂停：等待当前步骤完成…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="280"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="307"/>
        <source>The last checkpoint is that of step %1: up to %2 of work since then may be lost.</source>
        <translation>最后的检查点在第 %1 步：此后最多 %2 的工作可能丢失。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="308"/>
        <source>There is no checkpoint yet: up to %1 of work may be lost.</source>
        <translation>还没有检查点：最多 %1 的工作可能丢失。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="240"/>
        <source>%1 of the best %2 settled</source>
        <translation>前 %2 层中 %1 层已定</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="278"/>
        <source>step %1 of %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="190"/>
        <source>No job is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="247"/>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="132"/>
        <source>Opening %1: cancelled.</source>
        <translation>打开 %1：已取消。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::KeepControl</name>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="18"/>
        <source>&amp;K, softmax layers kept:</source>
        <translation>保留的 softmax 层数 &amp;K：</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="31"/>
        <location filename="../widgets/views/keepcontrol.cpp" line="35"/>
        <source>Softmax layers kept</source>
        <translation>保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="36"/>
        <source>Share of softmax layers kept</source>
        <translation>保留的 softmax 层占比</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="39"/>
        <source> %</source>
        <translation> %</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::KeySheet</name>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="18"/>
        <location filename="../widgets/views/keysheet.cpp" line="27"/>
        <location filename="../widgets/views/keysheet.cpp" line="29"/>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="22"/>
        <source>words, or a key (Ctrl+F)</source>
        <translation>词语或按键（Ctrl+F）</translation>
    </message>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="23"/>
        <source>Keys with these words</source>
        <translation>含这些词语的按键</translation>
    </message>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="29"/>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="49"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::KlCurvePlot</name>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="31"/>
        <source>Held-out KL against K</source>
        <translation>留出 KL 随 K 的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="32"/>
        <source>← →</source>
        <translation>← →</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="32"/>
        <source>Smaller and larger K</source>
        <translation>减小和增大 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="46"/>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="47"/>
        <source>predicted, additive</source>
        <translation>预测，按可加计算</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="48"/>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="55"/>
        <source>K, softmax layers kept</source>
        <translation>K，保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="59"/>
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="139"/>
        <source>The prediction appears here once the layers are scored.</source>
        <translation>各层评分完成后，预测会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="141"/>
        <source>Score with GA-S2 or zero-shot GA to see the prediction: this scoring did not measure the KL of keeping one layer.</source>
        <translation>要查看预测，请用 GA-S2 或零样本 GA 评分：此评分没有测量只保留一层时的 KL。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="143"/>
        <source>Score again with the all-linear student to see the prediction: this scoring did not measure it.</source>
        <translation>要查看预测，请连同全线性学生重新评分：此评分没有测量它。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="144"/>
        <source>Score again to see the prediction: this scoring kept no KL by held-out sequence.</source>
        <translation>要查看预测，请重新评分：此评分没有保存每条留出序列的 KL。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="157"/>
        <source>%1 %2</source>
        <comment>number of hybrids, why they are left out</comment>
        <translation>%1 个%2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="159"/>
        <source>measured on other sequences</source>
        <translation>在其他序列上测得</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="160"/>
        <source>of another start</source>
        <translation>起点不同</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="161"/>
        <source>of another seed</source>
        <translation>种子不同</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="162"/>
        <source>with other mixer options</source>
        <translation>混合器选项不同</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="163"/>
        <source>trained with another loss</source>
        <translation>以其他损失训练</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="164"/>
        <source>trained on another number of tokens</source>
        <translation>训练词元数不同</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="165"/>
        <source>of a size that is there already</source>
        <translation>同一大小已有</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="166"/>
        <source>unreadable</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="167"/>
        <source>hybrids left out: %1</source>
        <translation>未列入的混合模型：%1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="167"/>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="172"/>
        <source>hybrids of another stage 1 or seed than the scores</source>
        <translation>混合模型与得分的第一阶段或种子不同</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="183"/>
        <source>no elbow: no point lies below the straight line between the curve&apos;s ends</source>
        <translation>没有拐点：没有点位于曲线两端连线之下</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="184"/>
        <source>measured: further layers pay less from K = %1 on (95 %: %2 to %3)</source>
        <translation>实测：从 K = %1 起，再增加层的收益变小（95 %：%2 至 %3）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="184"/>
        <source>predicted: further layers pay less from K = %1 on (95 %: %2 to %3)</source>
        <translation>预测：从 K = %1 起，再增加层的收益变小（95 %：%2 至 %3）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="193"/>
        <source>predicted %1 (%2 to %3), n = %4</source>
        <translation>预测 %1（%2 至 %3），n = %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="193"/>
        <source>predicted %1, n = %2</source>
        <translation>预测 %1，n = %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="195"/>
        <source>measured %1 (%2 to %3), n = %4</source>
        <translation>实测 %1（%2 至 %3），n = %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="195"/>
        <source>measured %1, n = %2</source>
        <translation>实测 %1，n = %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="196"/>
        <source>K = %1: %2 nats/token</source>
        <translation>K = %1：%2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="206"/>
        <source>What another softmax layer is worth appears here.</source>
        <translation>再多一个 softmax 层值多少，会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="208"/>
        <source>No scores yet.
Press “Score layers”: the KL that they predict for every K appears here.</source>
        <translation>尚无得分。
按“为各层评分”：由得分预测的每个 K 的 KL 会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="210"/>
        <source>The curve appears here in a moment.</source>
        <translation>曲线稍后显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="274"/>
        <source>elbow, measured: K = %1</source>
        <translation>拐点，实测：K = %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="274"/>
        <source>elbow, predicted: K = %1</source>
        <translation>拐点，预测：K = %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="294"/>
        <source>K = %1</source>
        <translation>K = %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="298"/>
        <source>K = %1: neither predicted nor measured</source>
        <translation>K = %1：既无预测也无实测</translation>
    </message>
    <message>
        <location filename="../widgets/plots/klcurveplot.cpp" line="298"/>
        <source>no curve</source>
        <translation>没有曲线</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayerBarPlot</name>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="44"/>
        <source>Scores by layer</source>
        <translation>各层得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="88"/>
        <source>becomes linear</source>
        <translation>变为线性</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="87"/>
        <source>stays softmax</source>
        <translation>保持 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="382"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="182"/>
        <source>Layer %1: %2 ± %3 (95 %), n = %4</source>
        <translation>第 %1 层：%2 ± %3（95 %），n = %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="267"/>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="382"/>
        <source>layer, best first</source>
        <translation>层，最佳在前</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="354"/>
        <source>No scores yet.
Press “Score layers” to measure what each layer gains.</source>
        <translation>尚无得分。
点击“为各层评分”以测量每层的增益。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="45"/>
        <source>← → Home End</source>
        <translation>← → Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="45"/>
        <source>Walk along the layers</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="46"/>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="46"/>
        <source>Keep the selected layer as softmax, or let it go</source>
        <translation>将所选层保留为 softmax，或不再保留</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="86"/>
        <source>not settled</source>
        <translation>尚未确定</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="245"/>
        <source>◆ %1</source>
        <translation>◆ %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="264"/>
        <source>KL gain (nats/token)</source>
        <translation>KL 增益（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="265"/>
        <source>−KL above the worst (nats/token)</source>
        <translation>高出最差层的 −KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="266"/>
        <source>relative squared error</source>
        <translation>相对平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="277"/>
        <source>KL gain = KL(all linear) − KL(only this layer kept). Higher: this layer needs softmax more. Whiskers: 95 % interval.</source>
        <translation>KL 增益 = KL(全线性) − KL(仅保留该层)。越高，该层越需要 softmax。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="278"/>
        <source>KL of the worst layer − KL with only this layer kept. Higher: this layer needs softmax more. Whiskers: 95 % interval.</source>
        <translation>最差层的 KL − 仅保留该层的 KL。越高，该层越需要 softmax。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="279"/>
        <source>What stage 1 could not imitate of each layer&apos;s attention. Higher: harder to make linear. A first look; trained scores take its place.</source>
        <translation>第一阶段未能模仿的各层注意力。越高，越难变为线性。仅为初步结果，随后由训练后的得分取代。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="280"/>
        <source>As the selector gives it. Whiskers: 95 % interval.</source>
        <translation>选择器给出的原值。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="352"/>
        <source>Open a teacher to score its layers.</source>
        <translation>打开教师模型以为其各层评分。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="354"/>
        <source>The first scores appear here in a moment.</source>
        <translation>首批得分稍后显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="411"/>
        <source>no scores</source>
        <translation>无得分</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/layerbarplot.cpp" line="411"/>
        <source>%n layers; the highest is layer %1 with %2</source>
        <translation>
            <numerusform>共 %n 层；最高的是第 %1 层，为 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayersPage</name>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="156"/>
        <source>by &amp;layer</source>
        <translation>按层(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="107"/>
        <source>This is a 0.2 M parameter teacher that can recall. Drag K. Then open your own model.</source>
        <translation>这是一个能够召回的 0.2 M 参数教师模型。拖动 K 试试，然后打开自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="140"/>
        <source>Scores shown</source>
        <translation>显示的得分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="142"/>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="143"/>
        <source>S&amp;cores:</source>
        <translation>得分(&amp;C)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="149"/>
        <source>Scores laid over the bars</source>
        <translation>叠加在柱形上的评分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="150"/>
        <source>A second scoring as diamonds beside the bars</source>
        <translation>以菱形在柱形旁显示另一组评分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="152"/>
        <location filename="../widgets/pages/layerspage.cpp" line="315"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="153"/>
        <source>&amp;Overlay:</source>
        <translation>叠加(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="156"/>
        <source>by ra&amp;nk</source>
        <translation>按名次(&amp;N)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="160"/>
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="184"/>
        <location filename="../widgets/pages/layerspage.cpp" line="428"/>
        <source>&amp;Distil this hybrid</source>
        <translation>蒸馏此混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="185"/>
        <source>Train the hybrid that keeps these layers, in the background (Ctrl+D)</source>
        <translation>在后台训练保留这些层的混合模型 (Ctrl+D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="190"/>
        <source>Problem with the budget</source>
        <translation>预算有误</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="223"/>
        <source>Ranks</source>
        <translation>名次</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="260"/>
        <source>Distillation</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="262"/>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="331"/>
        <source>being distilled, not measured yet</source>
        <translation>正在蒸馏，尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="334"/>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="337"/>
        <source>measured: KL %1 ± %2 nats/token</source>
        <translation>实测：KL %1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="382"/>
        <source>early stop: nothing was sure before the end, no tokens saved</source>
        <translation>提前停止：直到结束都没有定论，未节省词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="386"/>
        <source>early stop at %1 tokens: %2 % of the tokens saved</source>
        <translation>在 %1 个词元处提前停止：节省了 %2 % 的词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="387"/>
        <source>early stop at %1 of %2 tokens: %3 % of the tokens saved</source>
        <translation>在 %2 个词元中的第 %1 个处提前停止：节省了 %3 % 的词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="426"/>
        <source>&amp;Score again…</source>
        <translation>重新评分(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="428"/>
        <source>&amp;Distil this hybrid…</source>
        <translation>蒸馏此混合模型(&amp;D)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="439"/>
        <source>%1 training tokens a layer</source>
        <translation>每层 %1 训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="443"/>
        <source>shaded: layers %1 are not settled at this K, within 95 % error of the boundary</source>
        <translation>阴影：第 %1 层在此 K 下未定，与边界之差在 95 % 误差之内</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="339"/>
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="102"/>
        <source>Open &amp;your own model…</source>
        <translation>打开自己的模型(&amp;Y)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="159"/>
        <location filename="../widgets/pages/layerspage.cpp" line="426"/>
        <source>&amp;Score layers…</source>
        <translation>为各层评分(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="341"/>
        <source>recall %1</source>
        <translation>召回率 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="369"/>
        <source>K = %1: the set that the search found</source>
        <translation>K = %1：搜索找到的集合</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="370"/>
        <source>K = %1: the first of the search&apos;s ranking; it found sets of their own at K = %2</source>
        <translation>K = %1：搜索排名的前几层；它在 K = %2 处另有找到的集合</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="350"/>
        <source>softmax in layers %1</source>
        <translation>第 %1 层为 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="445"/>
        <source>custom set: layers %1</source>
        <translation>自定义集合：第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="358"/>
        <source>trained on %1 tokens</source>
        <translation>训练了 %1 个词元</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/layerspage.cpp" line="356"/>
        <source>run %1, the newest of %n</source>
        <translation>
            <numerusform>运行 %1，%n 个中最新的</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="356"/>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="223"/>
        <source>KL a&amp;gainst K</source>
        <translation>KL 随 K 的变化(&amp;G)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="225"/>
        <source>Held-out KL for every K: as the scores predict it, and of the hybrids that were distilled</source>
        <translation>每个 K 的留出 KL：由得分预测的，以及已蒸馏的混合模型的</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::MessageLine</name>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="31"/>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="31"/>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="32"/>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::NewExperiment</name>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="74"/>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="134"/>
        <source>Run the experiment</source>
        <translation>运行实验</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="134"/>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="152"/>
        <source>Kind of experiment</source>
        <translation>实验种类</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="156"/>
        <source>&amp;Kind:</source>
        <translation>种类(&amp;K)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="159"/>
        <source>&amp;Presets</source>
        <translation>预设(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="160"/>
        <source>Settings to start from: quick ones, published ones, your own. Teacher and data stay.</source>
        <translation>起始设置：快速的、已发表的、您自己的。教师和数据保持不变。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="164"/>
        <source>&amp;Open spec…</source>
        <translation>打开规格(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="165"/>
        <source>Sa&amp;ve spec…</source>
        <translation>保存规格(&amp;V)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="166"/>
        <source>A spec from a file; a .json file can be dropped here too (Ctrl+O)</source>
        <translation>从文件打开规格；也可将 .json 文件拖放到此处（Ctrl+O）</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="167"/>
        <source>The JSON into a file, as stillroom-cli run takes it (Ctrl+S)</source>
        <translation>将 JSON 存为文件，供 stillroom-cli run 使用（Ctrl+S）</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="187"/>
        <source>The experiment as JSON</source>
        <translation>实验的 JSON</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="193"/>
        <source>&amp;JSON:</source>
        <translation>&amp;JSON：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="195"/>
        <source>Show all de&amp;faults</source>
        <translation>显示所有默认值(&amp;F)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="196"/>
        <source>Every field with its value, instead of those that differ from their defaults</source>
        <translation>显示每个字段及其值，而不只是与默认值不同的字段</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="207"/>
        <source>What is wrong</source>
        <translation>有何错误</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="208"/>
        <source>S&amp;how</source>
        <translation>转到(&amp;H)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="209"/>
        <source>Goes to the field, or to the line</source>
        <translation>转到该字段或该行</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="227"/>
        <source>Copy &amp;command line</source>
        <translation>复制命令行(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="228"/>
        <source>A line that runs this spec in a terminal, with its results in the same workspace</source>
        <translation>在终端中运行此规格的一行命令，结果存入同一工作区</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="229"/>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="232"/>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="244"/>
        <source>%1 runs it</source>
        <translation>%1 运行</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="323"/>
        <source>The spec %1</source>
        <translation>规格 %1</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="357"/>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="362"/>
        <source>Cost: not known until the spec is right.</source>
        <translation>开销：规格正确之前未知。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="397"/>
        <source>&amp;Save as a preset…</source>
        <translation>另存为预设(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="398"/>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="403"/>
        <source>What was &amp;written last</source>
        <translation>上次所写内容(&amp;W)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="404"/>
        <source>As this window was left before</source>
        <translation>此窗口上次关闭时的内容</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="406"/>
        <source>&amp;Defaults of this kind</source>
        <translation>此种类的默认值(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="432"/>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="435"/>
        <source>Save as a preset</source>
        <translation>另存为预设</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="432"/>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="435"/>
        <source>There is a preset “%1” already. Replace it?</source>
        <translation>已有预设“%1”。要替换它吗？</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="448"/>
        <source>The preset “%1” is deleted.</source>
        <translation>已删除预设“%1”。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="449"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="134"/>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="467"/>
        <source>Open a spec</source>
        <translation>打开规格</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="467"/>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="474"/>
        <source>Specs (*.json)</source>
        <translation>规格 (*.json)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="134"/>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="474"/>
        <source>Save the spec</source>
        <translation>保存规格</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="230"/>
        <source>Runs it in the background (%1)</source>
        <translation>在后台运行（%1）</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="479"/>
        <source>The spec cannot be written to %1: %2</source>
        <translation>无法将规格写入 %1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/newexperiment.cpp" line="485"/>
        <source>The command line is copied.</source>
        <translation>命令行已复制。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPage</name>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="46"/>
        <source>&amp;Score layers…</source>
        <translation>为各层评分(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="86"/>
        <source>Copy as TSV</source>
        <translation>复制为 TSV</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="90"/>
        <source>Filter the choices</source>
        <translation>筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="107"/>
        <source>&amp;matrix</source>
        <translation>矩阵(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="107"/>
        <source>t&amp;able</source>
        <translation>表格(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="110"/>
        <source>&amp;Copy as TSV</source>
        <translation>复制为 TSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="111"/>
        <source>The whole table, for a spreadsheet (Ctrl+C)</source>
        <translation>整个表格，供电子表格使用（Ctrl+C）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="129"/>
        <source>words of a name (Ctrl+F)</source>
        <translation>名称中的词 (Ctrl+F)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="131"/>
        <source>Choices by name</source>
        <translation>按名称筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="134"/>
        <source>Choices by selector</source>
        <translation>按选择器筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="137"/>
        <source>Choices by probe</source>
        <translation>按探针筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="138"/>
        <source>Choices without a probe, such as grids, stay for comparison</source>
        <translation>没有探针的方案（如均匀网格）保留以供比较</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="139"/>
        <source>with a se&amp;t at this K only</source>
        <translation>仅此 K 下有集合的(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="141"/>
        <source>Choices shown</source>
        <translation>所示方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="142"/>
        <source>Sho&amp;w:</source>
        <translation>显示(&amp;W)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="188"/>
        <source>every selector</source>
        <translation>所有选择器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="189"/>
        <source>every probe</source>
        <translation>所有探针</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="197"/>
        <source>Overlap of the choices, as a table</source>
        <translation>各方案的重叠（表格）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="218"/>
        <source>The chosen pair</source>
        <translation>所选的一对</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="283"/>
        <source>Kept by both: %1. Only by the first (A): %2. Only by the second (B): %3.</source>
        <translation>两者都保留：%1。仅第一个（A）保留：%2；仅第二个（B）保留：%3。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="344"/>
        <source>Two random sets of %1 of %n layers: J = %2 on average, 95 % from %3 to %4. Hatched: not to be told from chance (p ≥ %5).</source>
        <translation>
            <numerusform>%n 层中两个大小为 %1 的随机集合：J 平均 %2，95 % 在 %3 至 %4 之间。斜线：与随机无法区分（p ≥ %5）。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="349"/>
        <source> –: no set of this size.</source>
        <translation> –：没有此大小的层集合。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="356"/>
        <source>%n choices</source>
        <translation>
            <numerusform>共 %n 种方案</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="356"/>
        <source>%1 of %n choices</source>
        <translation>
            <numerusform>%1 / %n 种方案</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="358"/>
        <source>Nothing has been measured on this teacher yet, so only rules and published sets are compared.</source>
        <translation>该教师模型尚无测量结果，因此只比较规则和已发表的集合。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="311"/>
        <source>Over other held-out sequences J is %1 to %2 (95 % of draws).</source>
        <translation>换用其他保留序列时，J 为 %1 至 %2（95 % 的抽样）。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPlot</name>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="46"/>
        <source>Overlap of the choices</source>
        <translation>各方案的重叠</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="47"/>
        <source>← → ↑ ↓ Home End</source>
        <translation>← → ↑ ↓ Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="47"/>
        <source>Walk from cell to cell</source>
        <translation>逐格移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="48"/>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="48"/>
        <source>Look at the pair of choices</source>
        <translation>查看这一对选择</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="58"/>
        <source>Jaccard index</source>
        <translation>Jaccard 指数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="63"/>
        <source>choice, by its number</source>
        <translation>方案编号</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="142"/>
        <source>Rows of the matrix</source>
        <translation>矩阵的行</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="143"/>
        <source>Columns of the matrix</source>
        <translation>矩阵的列</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="183"/>
        <source>Open a teacher to compare the choices of its layers.</source>
        <translation>打开一个教师模型，以比较其选层方案。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="183"/>
        <source>No choice fits the filter.</source>
        <translation>没有方案符合筛选。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/overlapplot.cpp" line="273"/>
        <source>▴ chance %1</source>
        <translation>▴ 随机 %1</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/overlapplot.cpp" line="290"/>
        <source>%n choices; the arrow keys walk from cell to cell</source>
        <translation>
            <numerusform>共 %n 种方案；用方向键在格间移动</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapTable</name>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="78"/>
        <source>%1 is still being scored.</source>
        <translation>%1 仍在评分中。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="78"/>
        <source>%1 has no set of %n layers.</source>
        <translation>
            <numerusform>%1 没有 %n 层的集合。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="86"/>
        <source>%1 keeps %n layers: %2.</source>
        <translation>
            <numerusform>%1 保留 %n 层：%2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="89"/>
        <source>%1 and %2 share %3 of %n layers, J = %4; two random sets have %5 on average, and as much as this with p = %6.</source>
        <translation>
            <numerusform>%1 与 %2 共有 %n 层中的 %3 层，J = %4；两个随机集合平均为 %5，达到此值的概率 p = %6。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="97"/>
        <source>choice</source>
        <translation>方案</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="97"/>
        <source>layers kept</source>
        <translation>保留的层</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="144"/>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="147"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::PairStrips</name>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="46"/>
        <source>Layers of the two choices</source>
        <translation>两种方案的层</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="47"/>
        <source>← → Home End</source>
        <translation>← → Home End</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="47"/>
        <source>Walk along the layers</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="57"/>
        <source>%1 keeps layers %2; %3 keeps layers %4</source>
        <translation>%1 保留层 %2；%3 保留层 %4</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="137"/>
        <source>Layer %1: kept by both</source>
        <translation>第 %1 层：两者都保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="139"/>
        <source>Layer %1: only kept by %2</source>
        <translation>第 %1 层：仅 %2 保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="140"/>
        <source>Layer %1: kept by neither</source>
        <translation>第 %1 层：两者都不保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="148"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="148"/>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="148"/>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="108"/>
        <source>kept by both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="108"/>
        <source>only A</source>
        <translation>仅 A</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="108"/>
        <source>only B</source>
        <translation>仅 B</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::PlotView</name>
    <message>
        <location filename="../widgets/plots/plotview.cpp" line="82"/>
        <location filename="../widgets/plots/tabletwin.cpp" line="123"/>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/plots/plotview.cpp" line="82"/>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <location filename="../widgets/plots/plotview.cpp" line="87"/>
        <source>Show as &amp;table</source>
        <translation>显示为表格(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tabletwin.cpp" line="66"/>
        <location filename="../widgets/plots/tabletwin.cpp" line="75"/>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tabletwin.cpp" line="66"/>
        <location filename="../widgets/plots/tabletwin.cpp" line="75"/>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tabletwin.cpp" line="66"/>
        <location filename="../widgets/plots/tabletwin.cpp" line="75"/>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tabletwin.cpp" line="86"/>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tabletwin.cpp" line="124"/>
        <source>Close the table</source>
        <translation>关闭表格</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tabletwin.cpp" line="127"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RankPlot</name>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="35"/>
        <source>Rank of every layer against training tokens</source>
        <translation>各层名次随训练词元的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="36"/>
        <source>↑ ↓ Home End</source>
        <translation>↑ ↓ Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="36"/>
        <source>Walk from rank to rank</source>
        <translation>逐名次移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="37"/>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="37"/>
        <source>Keep the selected layer as softmax, or let it go</source>
        <translation>将所选层保留为 softmax，或不再保留</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="41"/>
        <source>enters the best K</source>
        <translation>进入前 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="42"/>
        <source>leaves it</source>
        <translation>退出前 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="43"/>
        <source>is settled, trains no more</source>
        <translation>已定，不再训练</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="46"/>
        <source>training tokens of a layer</source>
        <translation>每层的训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="48"/>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="51"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="258"/>
        <source>K = %1</source>
        <translation>K = %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="258"/>
        <source>below it: not kept</source>
        <translation>其下：不保留</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="307"/>
        <source>How the ranking of the layers comes about appears here.</source>
        <translation>各层排名的形成过程会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="309"/>
        <source>Who enters and leaves the best K appears here from the second evaluation on.</source>
        <translation>从第二次评估起，这里会显示谁进入、谁退出前 K。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="309"/>
        <source>This scoring measured its layers once:
there is no way to the ranking to show.</source>
        <translation>此次评分对各层只测量了一次：
没有名次变化过程可显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="311"/>
        <source>Ranks appear here once every layer has been evaluated.</source>
        <translation>每一层都评估过一次后，名次会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="312"/>
        <source>No scores yet.
Press “Score layers”: who enters and leaves the best K appears here, live.</source>
        <translation>尚无评分。
按“为各层评分”：哪些层进入或退出前 K，会在这里实时显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="377"/>
        <source>after %1 tokens: %2 entered the best %3, %4 left</source>
        <translation>%1 词元后：%2 进入前 %3，%4 退出</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="381"/>
        <source>the best %1 never changed over %n evaluations</source>
        <translation>
            <numerusform>前 %1 在 %n 次评估中从未改变</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="387"/>
        <source>no ranks</source>
        <translation>无名次</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="389"/>
        <source>; %n settled early</source>
        <translation>
            <numerusform>；%n 层提前确定</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="390"/>
        <source>%n layers; %1</source>
        <translation>
            <numerusform>共 %n 层；%1</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="412"/>
        <source>Layer %1: rank %2 after %3 tokens</source>
        <translation>第 %1 层：%3 词元后名次 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="412"/>
        <source>Layer %1: rank %2, settled after %3 tokens</source>
        <translation>第 %1 层：名次 %2，%3 词元后已定</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RecentTeachers</name>
    <message>
        <location filename="../widgets/models/recentteachers.cpp" line="38"/>
        <source>The demo</source>
        <translation>演示模型</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RunBarsPlot</name>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="28"/>
        <source>Bars of the compared experiments</source>
        <translation>所比较实验的柱形</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="119"/>
        <source>Select two to six runs on the Runs page and press D.</source>
        <translation>在“实验”页选中两到六个实验并按 D。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="119"/>
        <source>None of these experiments was measured yet.</source>
        <translation>这些实验都还没有测量。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="165"/>
        <source>%1: not measured</source>
        <translation>%1：未测量</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="166"/>
        <source>%1: %2 ± %3</source>
        <comment>experiment, value, 95 %</comment>
        <translation>%1：%2 ± %3</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="166"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="168"/>
        <source>, Δ %1 to the baseline</source>
        <translation>，与基线之差 Δ %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runbarsplot.cpp" line="177"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RunCurvesPlot</name>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="38"/>
        <source>KL in training (nats/token)</source>
        <translation>训练 KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="39"/>
        <source>held-out KL (nats/token)</source>
        <translation>留出 KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="40"/>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="47"/>
        <source>Curves of the compared experiments</source>
        <translation>所比较实验的曲线</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="79"/>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="81"/>
        <source>Less smoothing</source>
        <translation>减弱平滑</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="82"/>
        <source>More smoothing</source>
        <translation>增强平滑</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="83"/>
        <source>Everything in sight again</source>
        <translation>重新显示全部</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="336"/>
        <source>Select two to six runs on the Runs page and press D.</source>
        <translation>在“实验”页选中两到六个实验并按 D。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="340"/>
        <source>None of these experiments has such a curve.</source>
        <translation>这些实验都没有这样的曲线。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="338"/>
        <source>The curves are being read…</source>
        <translation>正在读取曲线…</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="350"/>
        <source>training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="350"/>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="350"/>
        <source>time since the first point (s)</source>
        <translation>自首点起的时间（秒）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="601"/>
        <source>%1: %2 at %3</source>
        <translation>%1：%3 处为 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="603"/>
        <source>%1 ends at %2</source>
        <translation>%1 终于 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="604"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="48"/>
        <source>L, Shift+L: logarithmic axes · ← →: values at a place · [ ]: smoothing · R: everything in sight · drag and wheel: move and zoom</source>
        <translation>L、Shift+L：对数轴 · ← →：某处的值 · [ ]：平滑 · R：全部可见 · 拖动与滚轮：移动与缩放</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="80"/>
        <source>Logarithmic x axis</source>
        <translation>对数 x 轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="350"/>
        <source>compute time since the first point (s)</source>
        <translation>自首点起的计算时间（秒）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="546"/>
        <source>Crosshair to the next point, the first, the last</source>
        <translation>十字线移到下一个点、第一个、最后一个</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="547"/>
        <source>Without the crosshair</source>
        <translation>去掉十字线</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RunsPage</name>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="131"/>
        <source>Search: words, tag:paper, k=8, kl&lt;0.2, -status:failed</source>
        <translation>搜索：词语、tag:paper、k=8、kl&lt;0.2、-status:failed</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="132"/>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="133"/>
        <source>Parts between spaces must all hold: words; a text field and what it holds (tag:, kind:, teacher=); a number (k=8, kl&lt;0.2, recall&gt;=0.9). -part must not hold; quotes hold spaces together. (Ctrl+F)</source>
        <translation>以空格分开的各部分须全部成立：词语；文本字段及其内容（tag:、kind:、teacher=）；数值（k=8、kl&lt;0.2、recall&gt;=0.9）。-部分 表示不得成立；引号内可含空格。（Ctrl+F）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="139"/>
        <source>&amp;Together, all but the seed</source>
        <translation>合并仅种子不同者(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="87"/>
        <source>Und&amp;o</source>
        <translation>撤销(&amp;O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="155"/>
        <source>Tr&amp;ash</source>
        <translation>回收站(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="156"/>
        <source>What was thrown away: select it and restore it</source>
        <translation>已丢弃的实验：选中即可还原</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="159"/>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="165"/>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="182"/>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="225"/>
        <source>&amp;Open what it found</source>
        <translation>打开其结果(&amp;O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="226"/>
        <source>&amp;Pin or unpin</source>
        <translation>固定或取消固定(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="228"/>
        <source>&amp;Baseline on or off</source>
        <translation>设为或取消基线(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="229"/>
        <source>Co&amp;mpare</source>
        <translation>比较(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="230"/>
        <source>New e&amp;xperiment from this run…</source>
        <translation>由此运行新建实验(&amp;X)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="231"/>
        <source>Add &amp;tag…</source>
        <translation>添加标签(&amp;T)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="232"/>
        <source>Remove ta&amp;g…</source>
        <translation>移除标签(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="233"/>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="234"/>
        <source>Edit &amp;notes…</source>
        <translation>编辑备注(&amp;N)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="235"/>
        <location filename="../widgets/pages/runspage.cpp" line="295"/>
        <source>Move to the tras&amp;h</source>
        <translation>移到回收站(&amp;H)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="239"/>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="241"/>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="241"/>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="245"/>
        <source>Search the runs</source>
        <translation>搜索实验</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="274"/>
        <source>%n experiments</source>
        <translation>
            <numerusform>%n 个实验</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="274"/>
        <source>%1 of %2 experiments</source>
        <translation>%1 / %2 个实验</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="275"/>
        <source>No experiment is like that. Take a word out of the search.</source>
        <translation>没有符合的实验。请从搜索中去掉一个词。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="275"/>
        <source>The trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="275"/>
        <source>No runs yet. Score the layers of a teacher (Ctrl+R): what it finds stands here.</source>
        <translation>尚无实验。请给教师的各层评分（Ctrl+R）：结果会出现在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="295"/>
        <source>&amp;Restore from the trash</source>
        <translation>从回收站还原(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="430"/>
        <source>Add a tag</source>
        <translation>添加标签</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="430"/>
        <source>Tag for %n runs:</source>
        <translation>
            <numerusform>为 %n 个实验添加标签：</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="446"/>
        <source>Remove a tag</source>
        <translation>移除标签</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="446"/>
        <source>Tag:</source>
        <translation>标签：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="471"/>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="471"/>
        <source>Notes of the run:</source>
        <translation>该实验的备注：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="502"/>
        <source>Pinned runs stay: unpin them (P) to throw them away.</source>
        <translation>已固定的实验会保留：先取消固定（P）再丢弃。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="516"/>
        <source>%n experiments of %1 restored from the trash.</source>
        <translation>
            <numerusform>%1 的 %n 个实验已从回收站恢复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="516"/>
        <source>%n experiments of %1 moved to the trash.</source>
        <translation>
            <numerusform>%1 的 %n 个实验已移到回收站。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="518"/>
        <source>%1 restored from the trash.</source>
        <translation>%1 已从回收站恢复。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="518"/>
        <source>%1 moved to the trash.</source>
        <translation>%1 已移到回收站。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="520"/>
        <source>%n experiments restored from the trash.</source>
        <translation>
            <numerusform>%n 个实验已从回收站恢复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="520"/>
        <source>%n experiments moved to the trash.</source>
        <translation>
            <numerusform>%n 个实验已移到回收站。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="629"/>
        <source>Two to six experiments can be compared, and %1 are selected.</source>
        <translation>可比较两到六个实验，现选中 %1 个。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="756"/>
        <source>There is no run %1 in this workspace, or it is in the trash.</source>
        <translation>此工作区中没有运行 %1，或它已在回收站中。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="227"/>
        <source>Loc&amp;k or unlock</source>
        <translation>锁定或解锁(&amp;K)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="457"/>
        <source>A locked run keeps its name: unlock it (L) to rename it.</source>
        <translation>已锁定的实验名称不变：先解锁（L）再重命名。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="500"/>
        <source>Locked runs stay: unlock them (L) to throw them away.</source>
        <translation>已锁定的实验会保留：先解锁（L）再丢弃。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="140"/>
        <source>Experiments that differ in nothing but their seed become one line: their mean, how far they spread, and how many they are</source>
        <translation>仅种子不同的实验合为一行：均值、离散程度与个数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="146"/>
        <source>What stands beside the mean</source>
        <translation>均值旁显示的内容</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="147"/>
        <source>What stands beside the mean of a line of repetitions</source>
        <translation>重复实验合并后均值旁显示的内容</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="236"/>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="237"/>
        <source>Copy as LaT&amp;eX</source>
        <translation>复制为 LaTeX(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="238"/>
        <source>Copy as Mark&amp;down</source>
        <translation>复制为 Markdown(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="49"/>
        <source>± 95 %</source>
        <translation>± 95 %</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="50"/>
        <source>± SE</source>
        <translation>± 标准误</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="51"/>
        <source>± SD</source>
        <translation>± 标准差</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="52"/>
        <source>min–max</source>
        <translation>最低–最高</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::SavedFilters</name>
    <message>
        <location filename="../widgets/models/savedfilters.cpp" line="65"/>
        <source>Save the filter %1</source>
        <translation>保存筛选 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/savedfilters.cpp" line="78"/>
        <source>Rename the filter %1</source>
        <translation>重命名筛选 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/savedfilters.cpp" line="85"/>
        <source>Delete the filter %1</source>
        <translation>删除筛选 %1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Session</name>
    <message>
        <location filename="../widgets/models/session.cpp" line="358"/>
        <source>The run is not in this workspace any more.</source>
        <translation>此运行已不在该工作区中。</translation>
    </message>
    <message>
        <location filename="../widgets/models/runtrash.cpp" line="14"/>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <location filename="../widgets/models/interruptedjobs.cpp" line="117"/>
        <source>Locked jobs are kept: unlock them (L on the Runs page) to throw them away.</source>
        <translation>已锁定的作业会保留：先在“实验”页解锁（L）再丢弃。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::SpecForm</name>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="208"/>
        <source>&amp;Experiment</source>
        <translation>实验(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="217"/>
        <source>Stage &amp;2</source>
        <translation>第二阶段(&amp;2)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="217"/>
        <source>Trainin&amp;g</source>
        <translation>训练(&amp;G)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="217"/>
        <source>Steps, batches, learning rates and what is minimised</source>
        <translation>步数、批次、学习率和最小化的目标</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="222"/>
        <source>&amp;Measuring</source>
        <translation>测量(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="222"/>
        <source>When and what is measured on the held-out data</source>
        <translation>何时在留出数据上测量什么</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="223"/>
        <source>R&amp;un and machine</source>
        <translation>运行与机器(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="223"/>
        <source>Name, seed, device, threads: none but the seed changes the numbers</source>
        <translation>名称、种子、设备、线程：只有种子会改变数值</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="258"/>
        <source>%1:</source>
        <translation>%1：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="265"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="270"/>
        <source>Problem with %1</source>
        <translation>%1 的问题</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="481"/>
        <source>Earlier</source>
        <translation>前移</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="481"/>
        <source>Later</source>
        <translation>后移</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="481"/>
        <source>Remove the stage</source>
        <translation>移除阶段</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="498"/>
        <source>%1. %2</source>
        <comment>number and kind of a stage</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="503"/>
        <source>Kind of the new stage</source>
        <translation>新阶段的种类</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/specform.cpp" line="506"/>
        <source>&amp;Add stage</source>
        <translation>添加阶段(&amp;A)</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TeacherPage</name>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="52"/>
        <source>What the model is</source>
        <translation>模型概况</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="56"/>
        <source>About the model</source>
        <translation>关于模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="57"/>
        <source>&amp;What it is</source>
        <translation>模型概况(&amp;W)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="58"/>
        <source>Toke&amp;nizer</source>
        <translation>分词器(&amp;N)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="59"/>
        <source>Side &amp;by side</source>
        <translation>并排生成(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="60"/>
        <source>What tokens a text becomes</source>
        <translation>一段文本会变成哪些词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="61"/>
        <source>One prompt, continued by the teacher and its hybrids</source>
        <translation>同一提示，由教师模型和各混合模型分别续写</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="70"/>
        <source>&amp;Open folder…</source>
        <translation>打开文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="70"/>
        <source>Open &amp;GGUF…</source>
        <translation>打开 GGUF(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="33"/>
        <source>&amp;Score layers…</source>
        <translation>为各层评分(&amp;S)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="70"/>
        <source>Open de&amp;mo</source>
        <translation>打开演示(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="71"/>
        <source>A Hugging Face folder with config.json and safetensors (Ctrl+O)</source>
        <translation>含 config.json 和 safetensors 的 Hugging Face 文件夹 (Ctrl+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="72"/>
        <source>A GGUF file (Ctrl+Shift+O)</source>
        <translation>GGUF 文件 (Ctrl+Shift+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="73"/>
        <source>The 0.2 M parameter teacher that ships with the program</source>
        <translation>随程序附带的 0.2 M 参数教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="74"/>
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="108"/>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="115"/>
        <location filename="../widgets/pages/teacherpage.cpp" line="162"/>
        <location filename="../widgets/pages/teacherpage.cpp" line="172"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="116"/>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="116"/>
        <source>%1, MLP %2 (%3)</source>
        <translation>%1，MLP %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="117"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="117"/>
        <source>%1 query, %2 key/value, %3 wide</source>
        <translation>%1 个查询头，%2 个键/值头，宽 %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118"/>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118"/>
        <source>%1, head tied to the embedding</source>
        <translation>%1，输出头与嵌入共享</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="119"/>
        <location filename="../widgets/pages/teacherpage.cpp" line="141"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="119"/>
        <source>%1 (%2 as float32)</source>
        <translation>%1（float32 为 %2）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="120"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="120"/>
        <source>%1 tokens, RoPE base %2 (%3)</source>
        <translation>%1 词元，RoPE 基数 %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="121"/>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="121"/>
        <source>%1 per token (bf16)</source>
        <translation>每词元 %1 (bf16)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="122"/>
        <source>Stored as</source>
        <translation>存储格式</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="123"/>
        <source>Features</source>
        <translation>特性</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="124"/>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="124"/>
        <source>understood</source>
        <translation>可识别</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="124"/>
        <source>none in the folder</source>
        <translation>文件夹中没有</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="131"/>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="131"/>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="131"/>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="131"/>
        <source>linear mixers</source>
        <translation>线性混合层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="132"/>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="132"/>
        <source>output head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="140"/>
        <source>Where the parameters are</source>
        <translation>参数分布</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="141"/>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="141"/>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="141"/>
        <source>As float32</source>
        <translation>按 float32</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="149"/>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="170"/>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="171"/>
        <source>a state of fixed size</source>
        <translation>固定大小的状态</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/teacherpage.cpp" line="171"/>
        <source>sees the last %n tokens</source>
        <translation>
            <numerusform>可见最近 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="171"/>
        <source>sees the whole text</source>
        <translation>可见全文</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="181"/>
        <source>What a linear layer takes</source>
        <translation>一个线性层的开销</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="182"/>
        <source>Mixer</source>
        <translation>混合器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="182"/>
        <source>Parameters a layer</source>
        <translation>每层参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="182"/>
        <source>State a layer</source>
        <translation>每层状态</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="182"/>
        <source>Does not carry over</source>
        <translation>不能带过去的</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="200"/>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="204"/>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="204"/>
        <source>not exact: %1</source>
        <translation>不精确：%1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="240"/>
        <source>Open a teacher</source>
        <translation>打开教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="241"/>
        <source>A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window.</source>
        <translation>Hugging Face 文件夹（Llama、Qwen2、Qwen3、Mistral、SmolLM2）或 GGUF 文件；拖放到此窗口任意位置。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="246"/>
        <source>This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.</source>
        <translation>这是一个能够召回的 0.2 M 参数教师模型（局部头经过初始化，检索能力是学到的）。请在“层”页面拖动 K，然后打开您自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="247"/>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="249"/>
        <source>There is no tokenizer in the folder.</source>
        <translation>文件夹中没有分词器。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TokenMapPlot</name>
    <message>
        <location filename="../widgets/plots/tokenmapplot.cpp" line="51"/>
        <source>query token</source>
        <translation>查询词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tokenmapplot.cpp" line="52"/>
        <source>key token</source>
        <translation>键词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tokenmapplot.cpp" line="60"/>
        <source>token %1 reads token %2 with %3</source>
        <translation>词元 %1 以权重 %3 读取词元 %2</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/tokenmapplot.cpp" line="137"/>
        <source>%n tokens; the largest weight is %1</source>
        <translation>
            <numerusform>%n 个词元；最大权重为 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TokenizerTryout</name>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="47"/>
        <source>Copy &amp;ids</source>
        <translation>复制编号(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="49"/>
        <source>Text to be tokenised</source>
        <translation>待分词的文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="50"/>
        <source>Type or paste a text: its tokens appear below.</source>
        <translation>输入或粘贴一段文本：其词元显示在下方。</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="53"/>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="57"/>
        <source>The ids as a JSON array</source>
        <translation>以 JSON 数组形式复制编号</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/tokenizertryout.cpp" line="157"/>
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="157"/>
        <source> · %1 bytes · %2 bytes per token</source>
        <translation> · %1 字节 · 每词元 %2 字节</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="159"/>
        <source> · of the first %1 letters</source>
        <translation> · 前 %1 个字符</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/tokenizertryout.cpp" line="167"/>
        <source>… and %n more</source>
        <translation>
            <numerusform>……另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::UseRanking</name>
    <message>
        <location filename="../widgets/views/useranking.cpp" line="6"/>
        <source>Use the ranking</source>
        <translation>恢复为排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/useranking.cpp" line="8"/>
        <source>Drop the set made by hand</source>
        <translation>放弃手工集合</translation>
    </message>
</context>
</TS>
