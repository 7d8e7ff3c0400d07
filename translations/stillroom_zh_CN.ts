<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Calibrations</name>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="75"/>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="75"/>
        <source>nats</source>
        <translation>纳特</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="77"/>
        <source>mean look-back</source>
        <translation>平均回看距离</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="78"/>
        <source>look-back against uniform attention</source>
        <translation>回看距离，相对均匀注意力</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="79"/>
        <source>mass on the first token (sink)</source>
        <translation>首个词元上的质量（sink）</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="80"/>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="81"/>
        <source>entropy against uniform attention</source>
        <translation>熵，相对均匀注意力</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="82"/>
        <source>concentration within the layer</source>
        <translation>层内集中度</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="83"/>
        <source>RMS of the teacher&apos;s context</source>
        <translation>教师上下文的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="84"/>
        <source>RMS of what the head adds</source>
        <translation>该头输出增量的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="85"/>
        <source>Taylor error, order 1</source>
        <translation>泰勒误差，一阶</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="86"/>
        <source>Taylor error, order 2</source>
        <translation>泰勒误差，二阶</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="87"/>
        <source>half-life: target</source>
        <translation>半衰期：目标</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="88"/>
        <source>mean over tokens</source>
        <translation>词元平均</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="88"/>
        <source>10 % of the tokens</source>
        <translation>10 % 分位词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="88"/>
        <source>median token</source>
        <translation>中位词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="88"/>
        <source>90 % of the tokens</source>
        <translation>90 % 分位词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="90"/>
        <source>half-life: %1</source>
        <translation>半衰期：%1</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="92"/>
        <source>write strength: target</source>
        <translation>写入强度：目标</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="94"/>
        <source>write strength: %1</source>
        <translation>写入强度：%1</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="97"/>
        <source>value scale, as fitted</source>
        <translation>值缩放，拟合值</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="98"/>
        <source>value scale, as set</source>
        <translation>值缩放，设定值</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="99"/>
        <source>RMS of the student&apos;s context</source>
        <translation>学生上下文的 RMS</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="100"/>
        <source>gate as a multiple of the values</source>
        <translation>门相对值投影的倍数</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="101"/>
        <source>cosine of the contexts</source>
        <translation>上下文的余弦</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="102"/>
        <source>squared error of the layer, phase 1</source>
        <translation>该层平方误差，阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="103"/>
        <source>cosine of the layer&apos;s output, phase 1</source>
        <translation>该层输出的余弦，阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="104"/>
        <source>RMS of the layer&apos;s output against the teacher&apos;s, phase 1</source>
        <translation>该层输出 RMS 与教师之比，阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="105"/>
        <source>squared error of the layer, phase 2</source>
        <translation>该层平方误差，阶段二</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="106"/>
        <source>cosine of the layer&apos;s output, phase 2</source>
        <translation>该层输出的余弦，阶段二</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="190"/>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="191"/>
        <source>Decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="192"/>
        <source>Write gate</source>
        <translation>写入门</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="193"/>
        <source>Amplitude</source>
        <translation>幅度</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="196"/>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="201"/>
        <source>%1 (%2)</source>
        <comment>statistic and unit</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="210"/>
        <source>Layer %1: %2 % of its value scales stand at the floor (heads %3): the student&apos;s values do not point where the teacher&apos;s do.</source>
        <translation>第 %1 层：%2 % 的值缩放停在下限（头 %3）：学生的值与教师的方向不一致。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="213"/>
        <source>Layer %1, heads %2: %n of them look back farther than uniform attention would. That is a sink: the half-life follows the length of the text.</source>
        <translation>
            <numerusform>第 %1 层，头 %2：%n 个头比均匀注意力回看得更远。这是 sink：半衰期随文本长度变化。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="215"/>
        <source>Layer %1, heads %2: %n contexts are so small that the output norm&apos;s eps is felt: it makes no unit RMS of them.</source>
        <translation>
            <numerusform>第 %1 层，头 %2：%n 个上下文过小，输出归一化的 eps 已起作用：归一化后 RMS 不为 1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/calibrationreport.cpp" line="217"/>
        <source>Layer %1, heads %2: %n mean write strengths miss their target by more than %3.</source>
        <translation>
            <numerusform>第 %1 层，头 %2：%n 个平均写入强度偏离目标超过 %3。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/calibrationreport.cpp" line="218"/>
        <source>Layer %1, heads %2: %3</source>
        <translation>第 %1 层，头 %2：%3</translation>
    </message>
</context>
<context>
    <name>Jobs</name>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="26"/>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="42"/>
        <source>Opening the model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="44"/>
        <source>Scoring %1 with %2</source>
        <translation>用 %2 给 %1 评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="46"/>
        <source>Distilling %1</source>
        <translation>蒸馏 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="48"/>
        <source>Calibrating %1</source>
        <translation>正在校准 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="50"/>
        <source>Aligning %1</source>
        <translation>对齐 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="52"/>
        <source>Evaluating</source>
        <translation>评估</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="54"/>
        <source>Generating text</source>
        <translation>生成文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="56"/>
        <source>Training a teacher</source>
        <translation>训练教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="58"/>
        <source>A pipeline of stages</source>
        <translation>多阶段流水线</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="79"/>
        <source>≈ %1 left, %2</source>
        <comment>duration, time at which it ends</comment>
        <translation>剩余约 %1，%2</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobwords.cpp" line="84"/>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <location filename="../widgets/views/names.cpp" line="20"/>
        <source>biases on queries, keys and values</source>
        <translation>查询、键和值带偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="21"/>
        <source>bias after attention</source>
        <translation>注意力输出带偏置</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="22"/>
        <source>norms on queries and keys</source>
        <translation>查询和键带归一化</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="23"/>
        <source>rotary positions</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="24"/>
        <source>scaled rotary positions</source>
        <translation>缩放的旋转位置编码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="25"/>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="26"/>
        <source>grouped queries</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="27"/>
        <source>head width other than D/H</source>
        <translation>头宽度不等于 D/H</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="46"/>
        <source>How close to the teacher the student with this one softmax layer comes after a short distillation</source>
        <translation>仅保留该 softmax 层的学生模型经短蒸馏后与教师的接近程度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="47"/>
        <source>GR-S2 (short distillation of the others)</source>
        <translation>GR-S2（短蒸馏其余各层）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="47"/>
        <source>How far from the teacher the student with this one linear layer stays after a short distillation</source>
        <translation>仅有该线性层的学生模型经短蒸馏后与教师的差距</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="48"/>
        <source>AVG-S2 (mean of both ranks)</source>
        <translation>AVG-S2（两种名次的均值）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="48"/>
        <source>The mean of a layer&apos;s ranks by GA-S2 and by GR-S2</source>
        <translation>该层在 GA-S2 与 GR-S2 中名次的均值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="49"/>
        <source>exhaustive</source>
        <translation>穷举</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="49"/>
        <source>exhaustive search</source>
        <translation>穷举搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="49"/>
        <source>Every set of so many layers, each distilled a short while: the truth that the others approximate, for small models</source>
        <translation>对给定大小的每个集合都做短蒸馏：其他方法所近似的真值，适用于小模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="50"/>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="50"/>
        <source>greedy replacement</source>
        <translation>贪心替换</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="50"/>
        <source>Makes the layer linear that hurts least beside those before it, one after another; what goes last is kept first</source>
        <translation>逐层替换为线性层，每次选在已替换层之外损害最小的一层；最后被替换的最先保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="51"/>
        <source>beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="51"/>
        <source>beam search over sets</source>
        <translation>集合上的束搜索</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="51"/>
        <source>Adds one softmax layer at a time to the best few sets so far, each measured as a whole, as PostNAS does</source>
        <translation>每次向目前最好的几个集合各加一个 softmax 层，并整体测量，做法同 PostNAS</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>gates</source>
        <translation>门控</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>gates (only they are trained)</source>
        <translation>门控（仅训练门控）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="52"/>
        <source>Whether a layer&apos;s gate between softmax and linear attention stays open when only the gates are trained, as in FlashMorph and DASH</source>
        <translation>仅训练门控时，该层在 softmax 与线性注意力之间的门是否保持打开，做法同 FlashMorph 和 DASH</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="53"/>
        <source>zero-shot GA</source>
        <translation>零样本 GA</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="53"/>
        <source>zero-shot GA (no training)</source>
        <translation>零样本 GA（不训练）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="53"/>
        <source>How much the layer helps as the only softmax layer, without training after stage 1</source>
        <translation>第一阶段后不再训练，该层作为唯一 softmax 层的帮助</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>zero-shot GR</source>
        <translation>零样本 GR</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>zero-shot GR (no training)</source>
        <translation>零样本 GR（不训练）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="54"/>
        <source>How much harm the layer does as the only linear layer, without training after stage 1</source>
        <translation>第一阶段后不再训练，该层作为唯一线性层的损害</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="55"/>
        <source>GA-S1 (stage-1 residual)</source>
        <translation>GA-S1（第一阶段残差）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="55"/>
        <source>What stage 1 could not imitate of the layer&apos;s attention: a first look</source>
        <translation>第一阶段未能模仿的该层注意力：初步结果</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="56"/>
        <source>PPL bypass</source>
        <translation>PPL 旁路</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="56"/>
        <source>PPL bypass (attention zeroed)</source>
        <translation>PPL 旁路（注意力置零）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="56"/>
        <source>How much the teacher&apos;s perplexity rises without the layer&apos;s attention</source>
        <translation>去掉该层注意力后教师困惑度的上升</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="57"/>
        <source>KL bypass</source>
        <translation>KL 旁路</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="57"/>
        <source>KL bypass (attention zeroed)</source>
        <translation>KL 旁路（注意力置零）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="57"/>
        <source>How far the teacher&apos;s predictions move, in KL, without the layer&apos;s attention</source>
        <translation>去掉该层注意力后教师预测的变化（KL）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="58"/>
        <source>MSE bypass</source>
        <translation>MSE 旁路</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="58"/>
        <source>MSE bypass (attention zeroed)</source>
        <translation>MSE 旁路（注意力置零）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="58"/>
        <source>How far the final hidden states move, in squared error, without the layer&apos;s attention</source>
        <translation>去掉该层注意力后最终隐藏状态的变化（平方误差）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="59"/>
        <source>AR (associative recall)</source>
        <translation>AR（联想回忆）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="59"/>
        <source>How many answers on sums of looked-up digits the teacher loses without the layer&apos;s attention</source>
        <translation>去掉该层注意力后，教师在查表数字求和题上丢失的答案</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="60"/>
        <source>AR-MH (multi-hop recall)</source>
        <translation>AR-MH（多跳回忆）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="60"/>
        <source>The same with words that name earlier words, so that a look-up takes several hops</source>
        <translation>同上，但词可指向更早的词，查找需要多跳</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="61"/>
        <source>HALO (recall against the rest)</source>
        <translation>HALO（回忆与其余之比）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="61"/>
        <source>How much recall, and how little else, the layer costs as the only linear layer</source>
        <translation>该层作为唯一线性层时损失多少回忆、多少其他能力</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="62"/>
        <source>LightTransfer (laziness)</source>
        <translation>LightTransfer（惰性）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="62"/>
        <source>How little the layer&apos;s last queries look at the first and the most recent tokens alone</source>
        <translation>该层最后的查询有多少不止看最前和最近的词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="82"/>
        <location filename="../widgets/views/names.cpp" line="114"/>
        <source>Measured by</source>
        <translation>测量依据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="83"/>
        <source>First layers ranked last</source>
        <translation>排在最后的首层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="84"/>
        <source>Softmax layers in a set</source>
        <translation>集合中的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="85"/>
        <source>At most so many sets</source>
        <translation>集合数上限</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="86"/>
        <source>Softmax layers left at the end</source>
        <translation>最后留下的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="87"/>
        <source>Prompts</source>
        <translation>提示数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="88"/>
        <source>Words in a prompt</source>
        <translation>每个提示的词数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="89"/>
        <source>Tokens of an answer, at most</source>
        <translation>答案词元上限</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="90"/>
        <source>An answer is right by</source>
        <translation>答案判对依据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="91"/>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="92"/>
        <source>Calibration sequences</source>
        <translation>校准序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="93"/>
        <source>Tokens of the maps (0: none)</source>
        <translation>映射图的词元数（0：不保存）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="94"/>
        <source>Measure Taylor errors</source>
        <translation>测量泰勒误差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="95"/>
        <source>What is left out, as</source>
        <translation>未填项取</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="96"/>
        <source>Laziness of a layer</source>
        <translation>层的惰性</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="97"/>
        <source>K that frequency is counted for</source>
        <translation>频率所用的 K</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="98"/>
        <source>Last queries looked at</source>
        <translation>考察的最后查询数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="99"/>
        <source>First tokens of a lazy layer</source>
        <translation>惰性层的最前词元数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="100"/>
        <source>Recent tokens of a lazy layer (0: by length)</source>
        <translation>惰性层的最近词元数（0：按长度）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="101"/>
        <source>Gate made by</source>
        <translation>门的形式</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="102"/>
        <source>Gates start at</source>
        <translation>门的初值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="103"/>
        <source>Pull towards linear</source>
        <translation>趋向线性的强度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="104"/>
        <location filename="../widgets/views/names.cpp" line="119"/>
        <source>Hidden states to keep</source>
        <translation>要保持的隐藏状态</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="105"/>
        <source>Learning rate of the gates</source>
        <translation>门的学习率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="106"/>
        <source>Trained on</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="107"/>
        <source>Passkeys in a sequence</source>
        <translation>每个序列的密钥数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="108"/>
        <source>Passkeys asked for (0: all)</source>
        <translation>提问的密钥数（0：全部）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="109"/>
        <source>Digits of a passkey</source>
        <translation>密钥位数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="110"/>
        <source>Count the answers only</source>
        <translation>只计答案</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="111"/>
        <source>Trainings</source>
        <translation>训练次数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="112"/>
        <source>Sets that stay from size to size</source>
        <translation>每个大小保留的集合数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="113"/>
        <source>Largest K searched</source>
        <translation>搜索的最大 K</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="115"/>
        <source>Steps of the supernet (0: none)</source>
        <translation>超网步数（0：无）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="116"/>
        <source>Learning rate of the supernet</source>
        <translation>超网学习率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="117"/>
        <source>Layers of a supernet step</source>
        <translation>超网每步的层</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="118"/>
        <source>Chance of a softmax layer</source>
        <translation>softmax 层的概率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="127"/>
        <source>uniform, from the first layer</source>
        <translation>均匀，从首层起</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="128"/>
        <source>uniform, to the last layer</source>
        <translation>均匀，至末层止</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="129"/>
        <source>uniform, both ends</source>
        <translation>均匀，含两端</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="130"/>
        <source>uniform, latter half</source>
        <translation>均匀，后半部分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="156"/>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="176"/>
        <source>KL to the teacher</source>
        <translation>与教师的 KL</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="176"/>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="176"/>
        <source>recall</source>
        <translation>回忆</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="177"/>
        <source>its first number</source>
        <translation>其中第一个数</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="177"/>
        <source>the sum anywhere in it</source>
        <translation>任意位置出现和</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="177"/>
        <source>as in the paper</source>
        <translation>同论文</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="178"/>
        <source>as in its code</source>
        <translation>同其代码</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="178"/>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="178"/>
        <source>how often among the laziest</source>
        <translation>属于最惰层的频率</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="179"/>
        <source>clamping</source>
        <translation>截断</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="179"/>
        <source>sigmoid</source>
        <translation>sigmoid</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="179"/>
        <source>softmax of two (DASH)</source>
        <translation>二元 softmax（DASH）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="180"/>
        <source>after the last layer</source>
        <translation>末层之后</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="180"/>
        <source>after every layer</source>
        <translation>每层之后</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="180"/>
        <source>passkeys hidden in the texts</source>
        <translation>藏在文本中的密钥</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="181"/>
        <source>measured best</source>
        <translation>实测最佳</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="181"/>
        <source>in the published code</source>
        <translation>与已发表代码相同</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="182"/>
        <source>the texts alone</source>
        <translation>仅文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="182"/>
        <source>uniform in size</source>
        <translation>大小均匀</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="182"/>
        <source>each by itself</source>
        <translation>各层独立</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="192"/>
        <source>no student</source>
        <translation>无学生模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="46"/>
        <source>GA-S2 (short distillation)</source>
        <translation>GA-S2（短蒸馏）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="197"/>
        <location filename="../widgets/views/names.cpp" line="204"/>
        <location filename="../widgets/views/names.cpp" line="239"/>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="197"/>
        <source>%1 · probe %2</source>
        <translation>%1 · 探针 %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="205"/>
        <source>SMART of %1 · %2</source>
        <translation>SMART（%1 · %2）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="207"/>
        <source>random (seed %1)</source>
        <translation>随机（种子 %1）</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="208"/>
        <source>published %1 · %2</source>
        <translation>已发表 %1 · %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="211"/>
        <source>your set by hand</source>
        <translation>您的手工集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="220"/>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="221"/>
        <source>published</source>
        <translation>已发表</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="224"/>
        <source>by hand</source>
        <translation>手工</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="229"/>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="234"/>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="247"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="253"/>
        <source>naive copy</source>
        <translation>直接复制</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="253"/>
        <source>closed gate</source>
        <translation>门关闭</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="253"/>
        <source>all but closed gate</source>
        <translation>门几乎关闭</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="254"/>
        <source>phase 1</source>
        <translation>阶段一</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="254"/>
        <source>phase 2 alone</source>
        <translation>仅阶段二</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="254"/>
        <source>phases 1 and 2</source>
        <translation>阶段一和二</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="265"/>
        <source>phase 1: reading the attention</source>
        <translation>阶段一：读取注意力</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="267"/>
        <source>phase 2: aligning every layer</source>
        <translation>阶段二：逐层对齐</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="269"/>
        <source>Taylor errors</source>
        <translation>泰勒误差</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="271"/>
        <source>maps of the heads</source>
        <translation>各头的映射图</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="273"/>
        <source>packing the texts</source>
        <translation>打包文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="275"/>
        <source>stage 1</source>
        <translation>第一阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="277"/>
        <source>stage 2</source>
        <translation>第二阶段</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="279"/>
        <source>zero-shot scores</source>
        <translation>零样本评分</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="281"/>
        <source>training every candidate</source>
        <translation>训练每个候选</translation>
    </message>
    <message>
        <location filename="../widgets/views/names.cpp" line="290"/>
        <source>nothing</source>
        <translation>无</translation>
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
    <name>WindowCommands</name>
    <message>
        <location filename="../app/windowcommands.cpp" line="88"/>
        <source>There is nothing in the plot for that</source>
        <translation>图中还没有可用于此操作的内容</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <location filename="../app/main.cpp" line="78"/>
        <source>Turns pretrained softmax Transformers into hybrids with linear attention</source>
        <translation>将预训练的 softmax Transformer 转换为含线性注意力的混合模型</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="81"/>
        <source>Folder that keeps runs and results</source>
        <translation>保存运行与结果的文件夹</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="82"/>
        <source>stillroom://run/UUID, stillroom://teacher/MODEL or stillroom://layer/NUMBER: shown by the window that is open already, if there is one</source>
        <translation>stillroom://run/UUID、stillroom://teacher/MODEL 或 stillroom://layer/NUMBER：若已有打开的窗口，则由它显示</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="83"/>
        <source>A Hugging Face folder, a GGUF file, or demo; without it the one that was open last</source>
        <translation>Hugging Face 文件夹、GGUF 文件或 demo；省略则为上次打开的模型</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="84"/>
        <source>Colours for this time: light, dark or system (the View menu&apos;s choice stays)</source>
        <translation>本次使用的配色：light、dark 或 system（“视图”菜单中的选择不变）</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="85"/>
        <source>Opens no window: makes all figures of a figures.json again</source>
        <translation>不打开窗口：重新生成 figures.json 中的所有图</translation>
    </message>
    <message>
        <location filename="../app/main.cpp" line="86"/>
        <source>Where the figures go</source>
        <translation>图的存放位置</translation>
    </message>
</context>
<context>
    <name>stillroom::MainWindow</name>
    <message>
        <location filename="../app/mainwindow.cpp" line="80"/>
        <location filename="../app/mainwindow.cpp" line="323"/>
        <source>Stillroom</source>
        <translation>Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="113"/>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="131"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="132"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="133"/>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="134"/>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="136"/>
        <source>Runs</source>
        <translation>实验</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="139"/>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="164"/>
        <source>Ctrl+%1</source>
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="209"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="210"/>
        <source>The linear mixer that takes the place of softmax</source>
        <translation>代替 softmax 的线性混合器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="211"/>
        <source>&amp;Probe:</source>
        <translation>探针(&amp;P)：</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="235"/>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="240"/>
        <source>Hide the inspector (I)</source>
        <translation>隐藏检查器 (I)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="245"/>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="246"/>
        <source>&amp;Open teacher folder…</source>
        <translation>打开教师模型文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="247"/>
        <source>Open &amp;GGUF file…</source>
        <translation>打开 GGUF 文件(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="248"/>
        <source>Open the &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="249"/>
        <source>Open &amp;recent</source>
        <translation>打开最近的(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="251"/>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="253"/>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="254"/>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="255"/>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="255"/>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="260"/>
        <source>Copy &amp;link to the layer</source>
        <translation>复制该层的链接(&amp;L)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="261"/>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="262"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="263"/>
        <source>&amp;Distil the chosen hybrid</source>
        <translation>蒸馏所选混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="264"/>
        <source>Cali&amp;brate linear layers…</source>
        <translation>校准线性层(&amp;B)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="265"/>
        <source>&amp;Cancel the job</source>
        <translation>取消任务(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="273"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="277"/>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="282"/>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="284"/>
        <source>&amp;As the system</source>
        <translation>跟随系统(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="284"/>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="284"/>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="294"/>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="299"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="300"/>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="301"/>
        <source>&amp;About Stillroom</source>
        <translation>关于 Stillroom(&amp;A)</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="49"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="49"/>
        <source>Select nothing</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="50"/>
        <source>I</source>
        <translation>I</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="50"/>
        <source>Inspector on or off</source>
        <translation>显示或隐藏检查器</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="75"/>
        <source>%1 is not there any more</source>
        <translation>%1 已不存在</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="81"/>
        <source>&amp;Clear list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="87"/>
        <source>Open a teacher first</source>
        <translation>请先打开教师模型</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="88"/>
        <source>Score the layers first, or choose some by hand</source>
        <translation>请先给各层评分，或手动选择若干层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="89"/>
        <source>No job is running</source>
        <translation>没有作业在运行</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="90"/>
        <source>Select a layer first</source>
        <translation>请先选择一层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="112"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="112"/>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="115"/>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="126"/>
        <source>Everywhere</source>
        <translation>任何位置</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="155"/>
        <source>“%1” leads nowhere: a link names a run, a teacher or a layer.</source>
        <translation>“%1”无法打开：链接应指向运行、教师模型或层。</translation>
    </message>
    <message>
        <location filename="../app/mainwindowwork.cpp" line="180"/>
        <source>%1 has no layer %2: its layers are 0 to %3.</source>
        <translation>%1 没有第 %2 层：它的层为 0 至 %3。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="306"/>
        <source>About Stillroom</source>
        <translation>关于 Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="307"/>
        <source>&lt;h3&gt;Stillroom %1&lt;/h3&gt;&lt;p&gt;Turns pretrained softmax Transformers into hybrids with linear attention.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. It comes with no warranty.&lt;/p&gt;&lt;p&gt;Qt %2&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Stillroom %1&lt;/h3&gt;&lt;p&gt;将预训练的 softmax Transformer 转换为含线性注意力的混合模型。&lt;/p&gt;&lt;p&gt;自由软件，依 GNU 通用公共许可证第 3 版或更新版本发布，不提供任何担保。&lt;/p&gt;&lt;p&gt;Qt %2&lt;/p&gt;</translation>
    </message>
    <message numerus="yes">
        <location filename="../app/mainwindow.cpp" line="319"/>
        <source>%n layers · %1 parameters</source>
        <translation>
            <numerusform>%n 层 · %1 个参数</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="320"/>
        <source>%1 softmax · %2 %3</source>
        <translation>%1 个 softmax · %2 个 %3</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="323"/>
        <source>%1 — Stillroom</source>
        <translation>%1 — Stillroom</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="358"/>
        <source>Open a Hugging Face folder</source>
        <translation>打开 Hugging Face 文件夹</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="365"/>
        <source>Open a GGUF file</source>
        <translation>打开 GGUF 文件</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="365"/>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="385"/>
        <source>There is no plot to export on this page yet.</source>
        <translation>此页尚无可导出的图。</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="451"/>
        <source>A job is running</source>
        <translation>有任务正在运行</translation>
    </message>
    <message>
        <location filename="../app/mainwindow.cpp" line="451"/>
        <source>Stop it after its current step and close? A checkpoint is kept, and it can be resumed.</source>
        <translation>在当前步骤后停止并关闭吗？会保留检查点，之后可以继续。</translation>
    </message>
</context>
<context>
    <name>stillroom::WindowJobs</name>
    <message>
        <location filename="../app/windowjobs.cpp" line="37"/>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../app/windowjobs.cpp" line="57"/>
        <source>Pa&amp;use or resume the job</source>
        <translation>暂停或继续任务(&amp;U)</translation>
    </message>
    <message>
        <location filename="../app/windowjobs.cpp" line="58"/>
        <source>Cancel &amp;all jobs</source>
        <translation>取消全部任务(&amp;A)</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::AgreementPlot</name>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="31"/>
        <source>Jaccard index against K</source>
        <translation>Jaccard 指数随 K 的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="32"/>
        <source>← →</source>
        <translation>← →</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="32"/>
        <source>Smaller and larger K</source>
        <translation>减小和增大 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="40"/>
        <source>chance, 95 %</source>
        <translation>随机水平，95 %</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="41"/>
        <source>chance, mean</source>
        <translation>随机水平，均值</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="42"/>
        <source>beyond chance</source>
        <translation>超出随机</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="43"/>
        <source>within chance</source>
        <translation>随机范围内</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="46"/>
        <source>K, softmax layers kept</source>
        <translation>K，保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="50"/>
        <source>Jaccard index</source>
        <translation>Jaccard 指数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="112"/>
        <source>K = %1: J = %2, chance %3 (%4 to %5), p = %6</source>
        <translation>K = %1：J = %2，随机 %3（%4 至 %5），p = %6</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="120"/>
        <source>Choose a cell of the matrix: how its two choices agree at every K appears here.</source>
        <translation>请在矩阵中选择一格：两种方案在每个 K 下的一致程度会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="152"/>
        <source>no pair chosen</source>
        <translation>未选择任何一对</translation>
    </message>
    <message>
        <location filename="../widgets/plots/agreementplot.cpp" line="152"/>
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
        <location filename="../widgets/plots/alignmentplot.cpp" line="30"/>
        <source>Squared error of each layer against steps</source>
        <translation>各层平方误差随步数变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="30"/>
        <source>Cosine of each layer against steps</source>
        <translation>各层余弦随步数变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="31"/>
        <source>L: logarithmic axis</source>
        <translation>L：对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="32"/>
        <source>step of phase 2</source>
        <translation>阶段二步数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="34"/>
        <source>relative squared error</source>
        <translation>相对平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="34"/>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="43"/>
        <location filename="../widgets/plots/alignmentplot.cpp" line="182"/>
        <source>Layer %1: last %2</source>
        <translation>第 %1 层：最新值 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="47"/>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="48"/>
        <source>← → ↑ ↓</source>
        <translation>← → ↑ ↓</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="48"/>
        <source>Walk from layer to layer</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="121"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="136"/>
        <source>The curves appear here as soon as phase 2 begins.</source>
        <translation>阶段二开始后，曲线会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="136"/>
        <source>This calibration kept no curves: it has no phase 2, or used an equal one&apos;s results.</source>
        <translation>此次校准没有曲线：没有阶段二，或沿用了相同校准的结果。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="136"/>
        <source>The alignment of each layer appears here, live.</source>
        <translation>各层的对齐过程会实时显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/alignmentplot.cpp" line="184"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/alignmentplot.cpp" line="184"/>
        <source>%n layers</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::CalibrationPage</name>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="55"/>
        <source>What calibration is</source>
        <translation>校准是什么</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="56"/>
        <location filename="../widgets/pages/calibrationpage.cpp" line="128"/>
        <source>Cali&amp;brate…</source>
        <translation>校准(&amp;B)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="73"/>
        <source>Calibrate a&amp;new…</source>
        <translation>重新校准(&amp;N)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="77"/>
        <source>The statistic&apos;s range</source>
        <translation>统计量的范围</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="111"/>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="113"/>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="114"/>
        <source>How these linear layers started, and when</source>
        <translation>这些线性层如何初始化，以及时间</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="119"/>
        <source>b&amp;efore</source>
        <translation>之前(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="120"/>
        <source>af&amp;ter</source>
        <translation>之后(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="121"/>
        <source>d&amp;ifference</source>
        <translation>差值(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="125"/>
        <source>&amp;Copy as TSV</source>
        <translation>复制为 TSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="126"/>
        <source>The map, or what has the keyboard: the head&apos;s table, the curves, the alarms (Ctrl+C)</source>
        <translation>热图，或键盘焦点所在处：头的表格、曲线、警示（Ctrl+C）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="130"/>
        <source>&amp;Statistic:</source>
        <translation>统计量(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="130"/>
        <source>&amp;of:</source>
        <translation>来自(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="152"/>
        <source>Against</source>
        <translation>对照</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="155"/>
        <source>a&amp;gainst:</source>
        <translation>对照(&amp;G)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="170"/>
        <source>The picked head, and how the layers align</source>
        <translation>所选头，以及各层的对齐过程</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="180"/>
        <source>Hea&amp;d</source>
        <translation>头(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="181"/>
        <source>A&amp;lignment</source>
        <translation>对齐(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="197"/>
        <source>Copy as TSV</source>
        <translation>复制为 TSV</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="214"/>
        <source>Nothing has been calibrated on this teacher yet.
A calibration reads off every head how far it looks back and how sharply, starts linear layers from that, and aligns them with the teacher layer by layer.</source>
        <translation>此教师尚未校准。
校准读取每个头回看多远、注意力有多集中，以此初始化线性层，再逐层与教师对齐。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="215"/>
        <source>Open a teacher: its attention, head by head, appears here.</source>
        <translation>请打开一个教师模型：其各头的注意力会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="223"/>
        <source>%1 · %2 · %3</source>
        <comment>how, mixer, when</comment>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="255"/>
        <source>nothing: a histogram</source>
        <translation>无：直方图</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="305"/>
        <source>here %1 to %2, median %3</source>
        <translation>实际 %1 至 %2，中位数 %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="307"/>
        <source>possible %1 to %2</source>
        <translation>可能范围 %1 至 %2</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="308"/>
        <source>%1 sequences of %2 tokens</source>
        <translation>%1 条序列，每条 %2 个词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/calibrationpage.cpp" line="309"/>
        <source>hatched: softmax in the chosen hybrid</source>
        <translation>斜线：所选混合模型中的 softmax 层</translation>
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
        <location filename="../widgets/pages/comparepage.cpp" line="39"/>
        <source>Select two to six runs in the table of runs and press D: they stand side by side here.</source>
        <translation>在实验表中选中两到六个实验并按 D：它们会并排显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="40"/>
        <source>Choose runs</source>
        <translation>选择实验</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="67"/>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="70"/>
        <source>Against</source>
        <translation>横轴</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="71"/>
        <source>against tokens</source>
        <translation>按词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="72"/>
        <source>against steps</source>
        <translation>按步数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="73"/>
        <source>against time</source>
        <translation>按时间</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="97"/>
        <source>&amp;Equal settings too</source>
        <translation>也显示相同的设置(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="100"/>
        <location filename="../widgets/pages/comparepage.cpp" line="105"/>
        <source>Measures and settings that differ</source>
        <translation>指标与不同的设置</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="124"/>
        <source>Make it the &amp;baseline</source>
        <translation>设为基线(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="128"/>
        <source>Take it &amp;out</source>
        <translation>移出比较(&amp;O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="132"/>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/comparepage.cpp" line="196"/>
        <source>smoothed by %1, measured values behind</source>
        <translation>平滑系数 %1，背后为实测值</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/comparepage.cpp" line="198"/>
        <source>%n values not above 0 cannot be shown</source>
        <translation>
            <numerusform>%n 个不大于 0 的值无法显示</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ComparisonTable</name>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="115"/>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="117"/>
        <source> ± %1</source>
        <translation> ± %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="118"/>
        <source>
± %1: 95 % of its held-out data</source>
        <translation>
± %1：其留出数据的 95 %</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="122"/>
        <source>  Δ %1</source>
        <translation>  Δ %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="126"/>
        <source>
* differs from the baseline beyond the errors of both (95 %, taken as independent)</source>
        <translation>
* 与基线之差超出两者误差（95 %，视为独立）</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="126"/>
        <source>
not to be told from the baseline (95 %, errors taken as independent)</source>
        <translation>
无法与基线区分（95 %，误差视为独立）</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="128"/>
        <source>
better than the baseline</source>
        <translation>
优于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="128"/>
        <source>
worse than the baseline</source>
        <translation>
劣于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="150"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/comparisontable.cpp" line="167"/>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Continuations</name>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="39"/>
        <source>&amp;chat template</source>
        <translation>对话模板(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="39"/>
        <source>Wr&amp;ite</source>
        <translation>生成(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="41"/>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="42"/>
        <source>A text to be continued</source>
        <translation>待续写的文本</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="44"/>
        <source>Who writes</source>
        <translation>由谁生成</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/continuations.cpp" line="45"/>
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
        <location filename="../widgets/pages/continuations.cpp" line="155"/>
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
        <source>Tempe&amp;rature:</source>
        <translation>温度(&amp;R)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="96"/>
        <source>S&amp;eed:</source>
        <translation>种子(&amp;E)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="119"/>
        <source>%1, softmax in %2 · KL %3</source>
        <translation>%1，softmax 在 %2 · KL %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="155"/>
        <source>This model has no tokenizer that is understood, so it cannot read a text.</source>
        <translation>此模型没有可识别的分词器，无法读取文本。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="187"/>
        <source>What %1 writes</source>
        <translation>%1 的续写</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="188"/>
        <source>waits for its turn…</source>
        <translation>等待中……</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="214"/>
        <source>writes…</source>
        <translation>生成中……</translation>
    </message>
    <message>
        <location filename="../widgets/pages/continuations.cpp" line="233"/>
        <source>wrote nothing: the end of the text was its first token</source>
        <translation>没有内容：第一个词元就是文本结束符</translation>
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
        <source>Read per token at %1k</source>
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
        <location filename="../widgets/plots/curveplot.cpp" line="21"/>
        <source>L: logarithmic axis</source>
        <translation>L：对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="26"/>
        <source>training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="38"/>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="100"/>
        <source>The loss of a distillation appears here.</source>
        <translation>蒸馏的损失显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="102"/>
        <source>The loss appears here as soon as stage 2 begins.</source>
        <translation>第二阶段开始后，损失显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="103"/>
        <source>No hybrid with these layers has been distilled yet.
Press “Distil this hybrid”: its loss appears here, live.</source>
        <translation>尚未蒸馏过保留这些层的混合模型。
按“蒸馏此混合模型”，损失会在这里实时显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="135"/>
        <source>last held-out value %1</source>
        <translation>最后的留出值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="137"/>
        <source>last value %1</source>
        <translation>最后的值 %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="137"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="45"/>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="45"/>
        <source>held out</source>
        <translation>留出</translation>
    </message>
    <message>
        <location filename="../widgets/plots/curveplot.cpp" line="45"/>
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentDialog</name>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="96"/>
        <source>Score layers</source>
        <translation>为各层评分</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="96"/>
        <source>Distil the hybrid</source>
        <translation>蒸馏混合模型</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="96"/>
        <source>Calibrate linear layers</source>
        <translation>校准线性层</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="97"/>
        <source>Score</source>
        <translation>评分</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="97"/>
        <source>Distil</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="97"/>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="100"/>
        <source>Cost</source>
        <translation>开销</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="101"/>
        <source>Time and memory</source>
        <translation>时间与内存</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="102"/>
        <source>Loads the teacher and times it: seconds, memory and disk on this machine</source>
        <translation>加载教师模型并计时：本机所需的时间、内存和磁盘</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="148"/>
        <source>Data and lengths are the demo&apos;s own: its recall task, with the lengths that were measured for it.</source>
        <translation>数据和长度是演示自带的：其回忆任务，以及为它测定的长度。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="148"/>
        <source>The data is the demo&apos;s own: its recall task.</source>
        <translation>数据为演示自带：其回忆任务。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="164"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="171"/>
        <source>What it measures</source>
        <translation>测量内容</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="192"/>
        <source>Phase 1 sets decays and write gates from what the teacher&apos;s attention does; phase 2 aligns every layer with the teacher&apos;s output.
The others are starts to compare them with.</source>
        <translation>阶段一按教师注意力的行为设定衰减和写入门；阶段二使每层与教师输出对齐。
其余为用作对照的初始化方式。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="193"/>
        <source> steps</source>
        <translation> 步</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="195"/>
        <source>all, or for example 0-3, 5</source>
        <translation>全部，或例如 0-3, 5</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="196"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="198"/>
        <source>Sta&amp;rt by:</source>
        <translation>初始化方式(&amp;R)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="199"/>
        <source>Phase &amp;2:</source>
        <translation>阶段二(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="200"/>
        <source>La&amp;yers:</source>
        <translation>层(&amp;Y)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="212"/>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="235"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="244"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="245"/>
        <source> tokens</source>
        <translation> 词元</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="236"/>
        <source> sequences</source>
        <translation> 条序列</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="325"/>
        <source>Layers are numbers and ranges with commas between, such as 0-3, 5.</source>
        <translation>层应为以逗号分隔的数字和范围，例如 0-3, 5。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="366"/>
        <source>stage 1 trains on %1 tokens, unless an equal one is there</source>
        <translation>第一阶段训练 %1 词元（已有相同的则复用）</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="368"/>
        <source>%1 tokens are read</source>
        <comment>calibration</comment>
        <translation>读取 %1 个词元</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="370"/>
        <source>phase 2 trains every layer on at most %1 tokens</source>
        <translation>阶段二对每层最多训练 %1 个词元</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="372"/>
        <source>%n students train on %1 tokens in all</source>
        <translation>
            <numerusform>%n 个学生模型共训练 %1 词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="374"/>
        <source>at most %1 tokens go through a model to measure</source>
        <translation>测量至多用 %1 词元通过模型</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="374"/>
        <source>%1 tokens go through a model to measure</source>
        <translation>测量用 %1 词元通过模型</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="375"/>
        <source>Cost: %1.</source>
        <translation>开销：%1。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="375"/>
        <source>next to nothing</source>
        <translation>几乎为零</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="375"/>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="383"/>
        <source>The teacher is being loaded and timed…</source>
        <translation>正在加载教师模型并计时…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="389"/>
        <source>About %1 on this machine, %2 of memory, %3 on disk.</source>
        <translation>本机约需 %1，内存 %2，磁盘 %3。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="215"/>
        <source>Add &amp;files…</source>
        <translation>添加文件(&amp;F)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="94"/>
        <source>&amp;Time it</source>
        <translation>计时(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="215"/>
        <source>Add f&amp;older…</source>
        <translation>添加文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="215"/>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="229"/>
        <source>Texts (.txt, .md, .rst, .jsonl):</source>
        <translation>文本（.txt、.md、.rst、.jsonl）：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="175"/>
        <source>&amp;Selector:</source>
        <translation>选择器(&amp;S)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="237"/>
        <source>Sequence &amp;length:</source>
        <translation>序列长度(&amp;L)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="246"/>
        <source>Stage &amp;1, all layers together:</source>
        <translation>阶段 1，所有层一起(&amp;1)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="247"/>
        <source>Stage &amp;2:</source>
        <translation>阶段 2(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="247"/>
        <source>Stage &amp;2, each student:</source>
        <translation>阶段 2，每个学生模型(&amp;2)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="239"/>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="248"/>
        <source>&amp;Held out:</source>
        <translation>留出(&amp;H)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="255"/>
        <source>Texts to train and measure on</source>
        <translation>用于训练和测量的文本</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="255"/>
        <source>Texts (*.txt *.text *.md *.rst *.jsonl)</source>
        <translation>文本 (*.txt *.text *.md *.rst *.jsonl)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="261"/>
        <source>A folder of texts</source>
        <translation>文本文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="275"/>
        <source>needs the recall task as data</source>
        <translation>需要回忆任务作为数据</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="277"/>
        <source>needs the teacher&apos;s tokenizer</source>
        <translation>需要教师模型的分词器</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="285"/>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/experimentdialog.cpp" line="326"/>
        <source>Add at least one text.</source>
        <translation>请至少添加一个文本。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentList</name>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="89"/>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="101"/>
        <source>Edit notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="128"/>
        <source>Add the tag %1</source>
        <translation>添加标签 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="143"/>
        <source>Remove the tag %1</source>
        <translation>移除标签 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="159"/>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="159"/>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="173"/>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimentlist.cpp" line="173"/>
        <source>Restore</source>
        <translation>还原</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExperimentTable</name>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="27"/>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="28"/>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="29"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="30"/>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="31"/>
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
        <location filename="../widgets/models/experimenttable.cpp" line="68"/>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="73"/>
        <source>KL (nats/token)</source>
        <translation>KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="74"/>
        <source>KL all linear (nats/token)</source>
        <translation>全线性 KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="75"/>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="76"/>
        <source>recall</source>
        <translation>回忆</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="77"/>
        <source>filler accuracy</source>
        <translation>填充词准确率</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="78"/>
        <source>hidden cosine</source>
        <translation>隐藏状态余弦</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="153"/>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="153"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="153"/>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="154"/>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="154"/>
        <source>Teacher</source>
        <translation>教师</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="154"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="155"/>
        <source>Selector</source>
        <translation>选择器</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="155"/>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="155"/>
        <source>Softmax layers</source>
        <translation>softmax 层</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="160"/>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="161"/>
        <source>Duration</source>
        <translation>用时</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="162"/>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="163"/>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="164"/>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="165"/>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="264"/>
        <source>%1 ± %2 (%3)</source>
        <translation>%1 ± %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="268"/>
        <source>  Δ %1</source>
        <translation>  Δ %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="281"/>
        <source>%1 (%2 seeds)</source>
        <translation>%1（%2 个种子）</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="313"/>
        <location filename="../widgets/models/experimenttable.cpp" line="341"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="315"/>
        <source>
95 % interval of the mean of %1 seeds: %2 to %3</source>
        <translation>
%1 个种子均值的 95 % 区间：%2 至 %3</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="321"/>
        <source>
as the baseline</source>
        <translation>
与基线相同</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="322"/>
        <source>
another value than the baseline&apos;s</source>
        <translation>
与基线的值不同</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="322"/>
        <source>
better than the baseline</source>
        <translation>
优于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="322"/>
        <source>
worse than the baseline</source>
        <translation>
劣于基线</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="341"/>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <location filename="../widgets/models/experimenttable.cpp" line="341"/>
        <source>not pinned</source>
        <translation>未固定</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::ExportDialog</name>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="61"/>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="97"/>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="117"/>
        <source>one column</source>
        <translation>单栏</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="118"/>
        <source>the whole text</source>
        <translation>整个版心</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="119"/>
        <source>another width</source>
        <translation>其他宽度</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="122"/>
        <source> in</source>
        <translation> 英寸</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="123"/>
        <source>Width in inches</source>
        <translation>宽度（英寸）</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="126"/>
        <source>Height of width; 0.618 is the golden section</source>
        <translation>高与宽之比；0.618 为黄金分割</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="129"/>
        <source>the program&apos;s</source>
        <translation>程序字体</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="137"/>
        <source>lines behind the data</source>
        <translation>数据后的网格线</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="138"/>
        <source>lines along the axes</source>
        <translation>沿坐标轴的线</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="140"/>
        <source>&amp;Venue:</source>
        <translation>会议或期刊(&amp;V)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="141"/>
        <source>&amp;Width:</source>
        <translation>宽度(&amp;W)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="143"/>
        <source>&amp;Height of width:</source>
        <translation>高宽比(&amp;H)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="144"/>
        <source>Fo&amp;nt:</source>
        <translation>字体(&amp;N)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="145"/>
        <source>&amp;Look:</source>
        <translation>样式(&amp;L)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>&amp;PDF</source>
        <translation>PDF(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>Vectors, for LaTeX</source>
        <translation>矢量图，用于 LaTeX</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>&amp;SVG</source>
        <translation>SVG(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>Vectors, for the web and for editing</source>
        <translation>矢量图，用于网页和编辑</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>PN&amp;G</source>
        <translation>PNG(&amp;G)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="156"/>
        <source>Pixels, with the true size</source>
        <translation>像素图，带真实尺寸</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="157"/>
        <source>&amp;TikZ</source>
        <translation>TikZ(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="157"/>
        <source>A pgfplots document and its numbers</source>
        <translation>pgfplots 文档及其数据</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="157"/>
        <source>&amp;CSV</source>
        <translation>CSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="157"/>
        <source>Its numbers, for scripts and spreadsheets</source>
        <translation>图中数据，用于脚本和电子表格</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="158"/>
        <source>LaTe&amp;X table</source>
        <translation>LaTeX 表格(&amp;X)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="158"/>
        <source>Its numbers, with booktabs and siunitx</source>
        <translation>图中数据，使用 booktabs 和 siunitx</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="158"/>
        <source>&amp;Markdown</source>
        <translation>Markdown(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="158"/>
        <source>Its numbers, for notes</source>
        <translation>图中数据，用于笔记</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="170"/>
        <source>%1 dots per inch</source>
        <translation>每英寸 %1 点</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="173"/>
        <source>&amp;Browse…</source>
        <translation>浏览(&amp;B)…</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="179"/>
        <source>Without an ending: every format adds its own</source>
        <translation>不带扩展名：每种格式自行添加</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="180"/>
        <source>&amp;also add to figures.json</source>
        <translation>同时加入 figures.json(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="181"/>
        <source>In the same folder: stillroom --figures makes all its figures again when runs change</source>
        <translation>在同一文件夹中：实验变化后，stillroom --figures 会重新生成其中所有图</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="183"/>
        <source>Formats:</source>
        <translation>格式：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="184"/>
        <source>PNG at:</source>
        <translation>PNG 分辨率：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="185"/>
        <source>F&amp;older:</source>
        <translation>文件夹(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="187"/>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="189"/>
        <source>&amp;File name:</source>
        <translation>文件名(&amp;F)：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="231"/>
        <source>Give the files a name.</source>
        <translation>请为文件命名。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="233"/>
        <source>Choose at least one format.</source>
        <translation>请至少选择一种格式。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="233"/>
        <source>The file name may have letters from A to Z, digits, “-”, “_” and “.”, so that TeX can read it.</source>
        <translation>文件名只能含字母 A 至 Z、数字、“-”、“_”和“.”，以便 TeX 读取。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="264"/>
        <source>A folder for the files</source>
        <translation>存放文件的文件夹</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="284"/>
        <source>There is no folder “%1”: choose one that is there.</source>
        <translation>没有文件夹“%1”：请选择已有的文件夹。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="290"/>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/dialogs/exportdialog.cpp" line="291"/>
        <source>%n files are there already: %1.</source>
        <translation>
            <numerusform>已有 %n 个文件：%1。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="309"/>
        <source>Written: %1.</source>
        <translation>已写入：%1。</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/exportdialog.cpp" line="311"/>
        <source>The folder “%1” cannot be written: choose another one.</source>
        <translation>无法写入文件夹“%1”：请另选一个。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::FieldForm</name>
    <message>
        <location filename="../widgets/dialogs/fieldform.cpp" line="57"/>
        <source>%1:</source>
        <translation>%1：</translation>
    </message>
    <message>
        <location filename="../widgets/dialogs/fieldform.cpp" line="89"/>
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
    <name>stillroom::widgets::HeadDetail</name>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="45"/>
        <location filename="../widgets/pages/headdetail.cpp" line="51"/>
        <source>teacher: attention</source>
        <translation>教师：注意力</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="44"/>
        <location filename="../widgets/pages/headdetail.cpp" line="52"/>
        <source>student: equivalent map</source>
        <translation>学生：等效映射</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="55"/>
        <source>The picked head</source>
        <translation>所选的头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="56"/>
        <source>With what weight each token enters what the head reads, before norm and gate: o = M v</source>
        <translation>归一化和门之前，每个词元以多大权重进入该头的读出：o = M v</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="57"/>
        <source>The head&apos;s numbers, before and after</source>
        <translation>该头的数值，之前与之后</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="58"/>
        <source>statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="58"/>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="58"/>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="99"/>
        <source>Pick a head in the map</source>
        <translation>请在热图中选择一个头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="99"/>
        <source>Layer %1, head %2</source>
        <translation>第 %1 层，头 %2</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="25"/>
        <source>student before: map M</source>
        <translation>学生（之前）：映射 M</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="25"/>
        <source>student after: map M</source>
        <translation>学生（之后）：映射 M</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="30"/>
        <source>Pick a head.</source>
        <translation>请选择一个头。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="33"/>
        <source>The maps are being read…</source>
        <translation>正在读取映射图…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/headdetail.cpp" line="33"/>
        <source>This calibration
kept no maps.</source>
        <translation>此次校准
未保存映射图。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadDistributionPlot</name>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="38"/>
        <source>Distribution over the heads</source>
        <translation>各头的分布</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="143"/>
        <source>How a statistic lies over the heads appears here.</source>
        <translation>统计量在各头上的分布会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="186"/>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headdistributionplot.cpp" line="186"/>
        <source>heads</source>
        <translation>头数</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/headdistributionplot.cpp" line="239"/>
        <source>%n heads; the picked one has %1</source>
        <translation>
            <numerusform>%n 个头；所选的头为 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/headdistributionplot.cpp" line="239"/>
        <source>%n heads</source>
        <translation>
            <numerusform>%n 个头</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::HeadMapPlot</name>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="43"/>
        <source>Heat map of the heads</source>
        <translation>各头热图</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="44"/>
        <source>← → ↑ ↓ Home End</source>
        <translation>← → ↑ ↓ Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="44"/>
        <source>Walk from head to head</source>
        <translation>逐头移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="48"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="83"/>
        <source>Layers of the map</source>
        <translation>热图的层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="84"/>
        <source>Heads of the map</source>
        <translation>热图的头</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="165"/>
        <source>The calibration is being read…</source>
        <translation>正在读取校准结果…</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="165"/>
        <source>There is nothing to show of this calibration.</source>
        <translation>此次校准没有可显示的内容。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="165"/>
        <source>A calibration&apos;s heads appear here.</source>
        <translation>校准的各头会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="169"/>
        <source>the whole layer</source>
        <translation>整层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="169"/>
        <source>query head</source>
        <translation>查询头</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="169"/>
        <source>head with a state</source>
        <translation>带状态的头</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headmapplot.cpp" line="224"/>
        <source>%1: after less before</source>
        <translation>%1：之后减之前</translation>
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
    <name>stillroom::widgets::HeadProfilePlot</name>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="49"/>
        <source>Attention by lag, with the decay</source>
        <translation>按滞后的注意力与衰减</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="49"/>
        <source>Entropy by position</source>
        <translation>按位置的熵</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="50"/>
        <source>lag (tokens)</source>
        <translation>滞后（词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="50"/>
        <source>position (tokens)</source>
        <translation>位置（词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="51"/>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="51"/>
        <source>entropy (nats)</source>
        <translation>熵（纳特）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="53"/>
        <location filename="../widgets/plots/headprofileplot.cpp" line="54"/>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="54"/>
        <source>decay</source>
        <translation>衰减</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="55"/>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="55"/>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="126"/>
        <source>Pick a head.</source>
        <translation>请选择一个头。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="126"/>
        <source>Not measured.</source>
        <translation>未测量。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="149"/>
        <source>%1 of the attention at lag 0, %2 at lag 1; half-life %3 tokens, target %4</source>
        <translation>滞后 0 处占注意力的 %1，滞后 1 处占 %2；半衰期 %3 词元，目标 %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/headprofileplot.cpp" line="171"/>
        <source>%1 nats at the end</source>
        <translation>末端 %1 纳特</translation>
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
        <location filename="../widgets/views/inspector.cpp" line="107"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="45"/>
        <source>In the hybrid</source>
        <translation>在混合模型中</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="45"/>
        <source>softmax, kept</source>
        <translation>softmax，保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="45"/>
        <source>becomes %1</source>
        <translation>变为 %1</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="48"/>
        <location filename="../widgets/views/inspector.cpp" line="53"/>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="48"/>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53"/>
        <source>KL gain</source>
        <translation>KL 增益</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53"/>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="55"/>
        <source>Held-out KL</source>
        <translation>留出 KL</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="55"/>
        <source>%1, SE %2 nats/token</source>
        <translation>%1，标准误 %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="60"/>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="60"/>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="61"/>
        <source>Settled</source>
        <translation>是否确定</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="61"/>
        <source>no: within the error of the K boundary</source>
        <translation>否：在 K 边界的误差之内</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="61"/>
        <source>yes, at this K</source>
        <translation>是，在此 K 下</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="63"/>
        <source>Sequences</source>
        <translation>序列数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="64"/>
        <source>Training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="105"/>
        <source>Click a layer, or walk with the arrow keys, to see its numbers here. Esc comes back.</source>
        <translation>点击一层，或用方向键移动，在此查看其数值。按 Esc 返回。</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="109"/>
        <source>No teacher</source>
        <translation>无教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="75"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="53"/>
        <source>%1 ± %2 nats/token</source>
        <translation>%1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="65"/>
        <source>Selector</source>
        <translation>选择器</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="66"/>
        <source>Probe</source>
        <translation>探针</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="76"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="77"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/views/inspector.cpp" line="77"/>
        <source>%1 query, %2 key/value</source>
        <translation>%1 个查询头，%2 个键/值头</translation>
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
        <translation>丢弃</translation>
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
        <location filename="../widgets/models/jobhistory.cpp" line="44"/>
        <source>running elsewhere</source>
        <translation>在别处运行</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="45"/>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="46"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="47"/>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="48"/>
        <source>interrupted</source>
        <translation>被中断</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="171"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="172"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="173"/>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="174"/>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="175"/>
        <source>Took</source>
        <translation>用时</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="176"/>
        <source>Ended</source>
        <translation>结束于</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobhistory.cpp" line="177"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobLog</name>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="32"/>
        <source>Computes on %1 in %2 (%3)</source>
        <translation>在 %1 上以 %2 计算（%3）</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/joblog.cpp" line="32"/>
        <source>%n threads</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="34"/>
        <source>Goes on where it was left</source>
        <translation>从中断处继续</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="34"/>
        <source>Begins</source>
        <translation>开始</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="39"/>
        <source>%1: step %2 of %3</source>
        <translation>%1：第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="44"/>
        <source>All layers linear</source>
        <translation>全部线性层</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="44"/>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="45"/>
        <source>%1: %2 ± %3 %4</source>
        <comment>layer, score, error, unit</comment>
        <translation>%1：%2 ± %3 %4</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="46"/>
        <source>%1: %2 %3</source>
        <comment>layer, score, unit</comment>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="49"/>
        <source>Table “%1”</source>
        <translation>表格“%1”</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="50"/>
        <source>Keeps %1 in %2</source>
        <translation>%1 保存在 %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="52"/>
        <source>Checkpoint at step %1</source>
        <translation>第 %1 步的检查点</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="54"/>
        <source>Finished after %1</source>
        <translation>完成，用时 %1</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="56"/>
        <source>Stopped at the last step</source>
        <translation>停在最后一步</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="194"/>
        <source>problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="194"/>
        <source>notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="195"/>
        <source>%1 (×%2)</source>
        <comment>message, how often</comment>
        <translation>%1（×%2）</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="228"/>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="228"/>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <location filename="../widgets/models/joblog.cpp" line="228"/>
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
        <location filename="../widgets/models/jobqueue.cpp" line="32"/>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="33"/>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="34"/>
        <source>pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="35"/>
        <source>cancelling</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="36"/>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="192"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="219"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="220"/>
        <source>Teacher</source>
        <translation>教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="221"/>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="222"/>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="223"/>
        <source>Left in this phase</source>
        <translation>本阶段剩余</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="224"/>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobqueue.cpp" line="225"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobRunner</name>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="33"/>
        <source>Remove the job</source>
        <translation>移除任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="55"/>
        <source>Move the job</source>
        <translation>移动任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="84"/>
        <source>%1 with these settings is in the queue already.</source>
        <translation>相同设置的“%1”已在队列中。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/jobrunner.cpp" line="98"/>
        <source>%1 is in the queue: it begins after %n jobs.</source>
        <translation>
            <numerusform>%1 已加入队列：前面还有 %n 个任务。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="98"/>
        <source>%1 is in the queue, which is held: no job begins.</source>
        <translation>%1 已加入队列；队列已暂停派发，不会开始任何任务。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="194"/>
        <source>%1 failed. The queue goes on: %2.</source>
        <translation>%1 失败。队列继续：%2。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="195"/>
        <source>%1 is paused. The queue goes on: %2.</source>
        <translation>%1 已暂停。队列继续：%2。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="196"/>
        <source>%1 was cancelled. The queue goes on: %2.</source>
        <translation>%1 已取消。队列继续：%2。</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="237"/>
        <source>Cancel all jobs</source>
        <translation>取消全部任务</translation>
    </message>
    <message>
        <location filename="../widgets/models/jobrunner.cpp" line="244"/>
        <source>All jobs are cancelled: the queue is empty.</source>
        <translation>全部任务已取消：队列为空。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsPanel</name>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="103"/>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="104"/>
        <source>Queue of jobs</source>
        <translation>任务队列</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="105"/>
        <source>History of jobs</source>
        <translation>任务历史</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="106"/>
        <source>Nothing runs and nothing waits. What you start while a job runs waits here for its turn.</source>
        <translation>没有正在运行或等待的任务。任务运行时启动的实验会在这里排队。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="106"/>
        <location filename="../widgets/views/jobspanel.cpp" line="245"/>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="107"/>
        <source>No job has run in this workspace yet. Score the layers of a teacher (Ctrl+R).</source>
        <translation>此工作区还没有运行过任务。请先给教师模型的各层评分（Ctrl+R）。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="107"/>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="108"/>
        <source>Hold the &amp;queue</source>
        <translation>暂停派发队列(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="109"/>
        <source>What runs goes on; no further job begins until this is taken back</source>
        <translation>正在运行的任务继续；取消勾选之前不再开始新任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="111"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="112"/>
        <source>What can be done with the chosen job</source>
        <translation>可以对所选任务执行的操作</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="134"/>
        <source>Log of the job</source>
        <translation>任务日志</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="142"/>
        <source>&amp;Copy the log</source>
        <translation>复制日志(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="166"/>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="167"/>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="168"/>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="169"/>
        <location filename="../widgets/views/jobspanel.cpp" line="260"/>
        <source>Remo&amp;ve</source>
        <translation>移除(&amp;V)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="171"/>
        <source>&amp;Earlier</source>
        <translation>提前(&amp;E)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="172"/>
        <source>&amp;Later</source>
        <translation>推后(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="174"/>
        <source>&amp;Show the run</source>
        <translation>显示运行(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="175"/>
        <source>Copy the command l&amp;ine</source>
        <translation>复制命令行(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="179"/>
        <source>Cancel &amp;all jobs</source>
        <translation>取消全部任务(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="245"/>
        <source>Queue (%1)</source>
        <translation>队列 (%1)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="260"/>
        <source>Mo&amp;ve to the trash</source>
        <translation>移到回收站(&amp;V)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="273"/>
        <source>Pinned runs stay: unpin this one on the Runs page to throw it away.</source>
        <translation>固定的运行不会移走：请先在“实验”页取消固定。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="294"/>
        <source>The log of the chosen job stands here.</source>
        <translation>所选任务的日志显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="296"/>
        <source>This job has not begun: its log is empty.</source>
        <translation>此任务尚未开始：日志为空。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="298"/>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobspanel.cpp" line="298"/>
        <source>Log: %1</source>
        <translation>日志：%1</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::JobsStrip</name>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="34"/>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="59"/>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="62"/>
        <source>Progress of the job</source>
        <translation>任务进度</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="64"/>
        <source>Stop after the current step; a checkpoint of it is kept (Ctrl+.)</source>
        <translation>在当前步骤后停止；会保留检查点 (Ctrl+.)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="203"/>
        <source>Cancelling: the current step is being finished…</source>
        <translation>正在取消：等待当前步骤完成…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="207"/>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="178"/>
        <source>%1: finished after %2.</source>
        <translation>%1：完成，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="34"/>
        <source>Pa&amp;use</source>
        <translation>暂停(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="35"/>
        <source>Res&amp;ume</source>
        <translation>继续(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="43"/>
        <source>Queue, history and logs of the jobs (Ctrl+J)</source>
        <translation>任务的队列、历史和日志（Ctrl+J）</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="63"/>
        <source>Stop at a checkpoint and keep the job in the queue; the next one begins</source>
        <translation>在检查点停下并保留在队列中；下一个任务随即开始</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="66"/>
        <source>Go on from the last checkpoint, in the same run</source>
        <translation>在同一次运行中从最后的检查点继续</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="72"/>
        <source>Cancel the &amp;job</source>
        <translation>取消任务(&amp;J)</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="73"/>
        <source>Go on</source>
        <translation>继续运行</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/jobsstrip.cpp" line="137"/>
        <source>%n wait</source>
        <comment>jobs</comment>
        <translation>
            <numerusform>%n 个等待中</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="146"/>
        <source>%1 is paused.</source>
        <translation>%1 已暂停。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="146"/>
        <source>%1 is paused (%2 of %3).</source>
        <comment>job, share, phase</comment>
        <translation>%1 已暂停（%3 的 %2）。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/jobsstrip.cpp" line="149"/>
        <source>The queue is held: %n jobs wait.</source>
        <translation>
            <numerusform>队列已暂停派发：%n 个任务在等待。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="180"/>
        <source>%1: failed after %2.</source>
        <translation>%1：失败，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="182"/>
        <source>%1: cancelled after %2.</source>
        <translation>%1：已取消，用时 %2。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="203"/>
        <source>Pausing: the current step is being finished…</source>
        <translation>正在暂停：等待当前步骤完成…</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="215"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="238"/>
        <source>The last checkpoint is that of step %1: up to %2 of work since then may be lost.</source>
        <translation>最后的检查点在第 %1 步：此后最多 %2 的工作可能丢失。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="239"/>
        <source>There is no checkpoint yet: up to %1 of work may be lost.</source>
        <translation>还没有检查点：最多 %1 的工作可能丢失。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="194"/>
        <source>%1 of the best %2 settled</source>
        <translation>前 %2 层中 %1 层已定</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="213"/>
        <source>step %1 of %2</source>
        <translation>第 %1 / %2 步</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="151"/>
        <source>A run was interrupted; it can go on from its last checkpoint.</source>
        <translation>有一次运行被中断；可从其最后一个检查点继续。</translation>
    </message>
    <message>
        <location filename="../widgets/views/jobsstrip.cpp" line="152"/>
        <source>No job is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::KeepControl</name>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="15"/>
        <source>Back to the ranking</source>
        <translation>恢复为排名</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="20"/>
        <source>&amp;K, softmax layers kept:</source>
        <translation>保留的 softmax 层数 &amp;K：</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="22"/>
        <source>Drop the set made by hand</source>
        <translation>放弃手工集合</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="36"/>
        <location filename="../widgets/views/keepcontrol.cpp" line="39"/>
        <source>Softmax layers kept</source>
        <translation>保留的 softmax 层数</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="40"/>
        <source>Share of softmax layers kept</source>
        <translation>保留的 softmax 层占比</translation>
    </message>
    <message>
        <location filename="../widgets/views/keepcontrol.cpp" line="43"/>
        <source> %</source>
        <translation> %</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::KeySheet</name>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="16"/>
        <location filename="../widgets/views/keysheet.cpp" line="21"/>
        <location filename="../widgets/views/keysheet.cpp" line="23"/>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="23"/>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
    <message>
        <location filename="../widgets/views/keysheet.cpp" line="42"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayerBarPlot</name>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="30"/>
        <source>Scores by layer</source>
        <translation>各层得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="69"/>
        <source>becomes linear</source>
        <translation>变为线性</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="68"/>
        <source>stays softmax</source>
        <translation>保持 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="358"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="161"/>
        <source>Layer %1: %2 ± %3 (95 %), n = %4</source>
        <translation>第 %1 层：%2 ± %3（95 %），n = %4</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="242"/>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="358"/>
        <source>layer, best first</source>
        <translation>层，最佳在前</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="326"/>
        <source>No scores yet.
Press “Score layers” to measure what each layer gains.</source>
        <translation>尚无得分。
点击“为各层评分”以测量每层的增益。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="31"/>
        <source>← → Home End</source>
        <translation>← → Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="31"/>
        <source>Walk along the layers</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="32"/>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="32"/>
        <source>Keep the selected layer as softmax, or let it go</source>
        <translation>将所选层保留为 softmax，或不再保留</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="225"/>
        <source>◆ %1</source>
        <translation>◆ %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="239"/>
        <source>KL gain (nats/token)</source>
        <translation>KL 增益（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="240"/>
        <source>−KL above the worst (nats/token)</source>
        <translation>高出最差层的 −KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="241"/>
        <source>relative squared error</source>
        <translation>相对平方误差</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="252"/>
        <source>KL gain = KL(all linear) − KL(only this layer kept). Higher: this layer needs softmax more. Whiskers: 95 % interval.</source>
        <translation>KL 增益 = KL(全线性) − KL(仅保留该层)。越高，该层越需要 softmax。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="253"/>
        <source>KL of the worst layer − KL with only this layer kept. Higher: this layer needs softmax more. Whiskers: 95 % interval.</source>
        <translation>最差层的 KL − 仅保留该层的 KL。越高，该层越需要 softmax。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="254"/>
        <source>What stage 1 could not imitate of each layer&apos;s attention. Higher: harder to make linear. A first look; trained scores take its place.</source>
        <translation>第一阶段未能模仿的各层注意力。越高，越难变为线性。仅为初步结果，随后由训练后的得分取代。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="255"/>
        <source>As the selector gives it. Whiskers: 95 % interval.</source>
        <translation>选择器给出的原值。须线为 95 % 区间。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="324"/>
        <source>Open a teacher to score its layers.</source>
        <translation>打开教师模型以为其各层评分。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="326"/>
        <source>The first scores appear here in a moment.</source>
        <translation>首批得分稍后显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/layerbarplot.cpp" line="379"/>
        <source>no scores</source>
        <translation>无得分</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/layerbarplot.cpp" line="379"/>
        <source>%n layers; the highest is layer %1 with %2</source>
        <translation>
            <numerusform>共 %n 层；最高的是第 %1 层，为 %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::LayersPage</name>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="142"/>
        <source>by &amp;layer</source>
        <translation>按层(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="92"/>
        <source>This is a 0.2 M parameter teacher that can recall. Drag K. Then open your own model.</source>
        <translation>这是一个能够回忆的 0.2 M 参数教师模型。拖动 K 试试，然后打开自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="125"/>
        <source>Scores shown</source>
        <translation>显示的得分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="126"/>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="127"/>
        <source>S&amp;cores:</source>
        <translation>得分(&amp;C)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="136"/>
        <source>Scores laid over the bars</source>
        <translation>叠加在柱形上的评分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="137"/>
        <source>A second scoring as diamonds beside the bars</source>
        <translation>以菱形在柱形旁显示另一组评分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="138"/>
        <location filename="../widgets/pages/layerspage.cpp" line="254"/>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="139"/>
        <source>&amp;Overlay:</source>
        <translation>叠加(&amp;O)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="142"/>
        <source>by ra&amp;nk</source>
        <translation>按名次(&amp;N)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="145"/>
        <location filename="../widgets/pages/layerspage.cpp" line="328"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="146"/>
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="169"/>
        <source>&amp;Distil this hybrid</source>
        <translation>蒸馏此混合模型(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="170"/>
        <source>Train the hybrid that keeps these layers, in the background (Ctrl+D)</source>
        <translation>在后台训练保留这些层的混合模型 (Ctrl+D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="189"/>
        <source>Ranks</source>
        <translation>名次</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="209"/>
        <source>Distillation</source>
        <translation>蒸馏</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="211"/>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="271"/>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="273"/>
        <source>measured: KL %1 ± %2 nats/token</source>
        <translation>实测：KL %1 ± %2 纳特/词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="340"/>
        <source>%1 training tokens a layer</source>
        <translation>每层 %1 训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="344"/>
        <source>shaded: layers %1 are not settled at this K, their intervals meet at the boundary</source>
        <translation>阴影：第 %1 层在此 K 下未定，其区间在边界处重叠</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="275"/>
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="87"/>
        <source>Open &amp;your own model…</source>
        <translation>打开自己的模型(&amp;Y)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="277"/>
        <source>recall %1</source>
        <translation>召回率 %1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="288"/>
        <source>K = %1: the set that the search found</source>
        <translation>K = %1：搜索找到的集合</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="289"/>
        <source>K = %1: the first of the search&apos;s ranking; it found sets of their own at K = %2</source>
        <translation>K = %1：搜索排名的前几层；它在 K = %2 处另有找到的集合</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="320"/>
        <source>softmax in layers %1</source>
        <translation>第 %1 层为 softmax</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="328"/>
        <source>&amp;Score again</source>
        <translation>重新评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/layerspage.cpp" line="346"/>
        <source>custom set: layers %1</source>
        <translation>自定义集合：第 %1 层</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::MessageLine</name>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="27"/>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="27"/>
        <source>Notice</source>
        <translation>通知</translation>
    </message>
    <message>
        <location filename="../widgets/views/messageline.cpp" line="28"/>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapPage</name>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="43"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="82"/>
        <source>Copy as TSV</source>
        <translation>复制为 TSV</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="86"/>
        <source>Filter the choices</source>
        <translation>筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="103"/>
        <source>&amp;matrix</source>
        <translation>矩阵(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="103"/>
        <source>t&amp;able</source>
        <translation>表格(&amp;A)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="106"/>
        <source>&amp;Copy as TSV</source>
        <translation>复制为 TSV(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="107"/>
        <source>The whole table, for a spreadsheet (Ctrl+C)</source>
        <translation>整个表格，供电子表格使用（Ctrl+C）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="124"/>
        <source>words of a name (Ctrl+F)</source>
        <translation>名称中的词 (Ctrl+F)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="126"/>
        <source>Choices by name</source>
        <translation>按名称筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="129"/>
        <source>Choices by selector</source>
        <translation>按选择器筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="132"/>
        <source>Choices by probe</source>
        <translation>按探针筛选方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="133"/>
        <source>Choices without a probe, such as grids, stay for comparison</source>
        <translation>没有探针的方案（如均匀网格）保留以供比较</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="134"/>
        <source>with a se&amp;t at this K only</source>
        <translation>仅此 K 下有集合的(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="136"/>
        <source>Choices shown</source>
        <translation>所示方案</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="137"/>
        <source>Sho&amp;w:</source>
        <translation>显示(&amp;W)：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="185"/>
        <source>every selector</source>
        <translation>所有选择器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="186"/>
        <source>every probe</source>
        <translation>所有探针</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="195"/>
        <source>Overlap of the choices, as a table</source>
        <translation>各方案的重叠（表格）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="216"/>
        <source>The chosen pair</source>
        <translation>所选的一对</translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="274"/>
        <source>Kept by both: %1. Only by the first (A): %2. Only by the second (B): %3.</source>
        <translation>两者都保留：%1。仅第一个（A）保留：%2；仅第二个（B）保留：%3。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="307"/>
        <source>Two random sets of %1 of %n layers: J = %2 on average, 95 % from %3 to %4. Hatched: not to be told from chance (p ≥ %5).</source>
        <translation>
            <numerusform>%n 层中两个大小为 %1 的随机集合：J 平均 %2，95 % 在 %3 至 %4 之间。斜线：与随机无法区分（p ≥ %5）。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="312"/>
        <source> –: no set of this size.</source>
        <translation> –：没有此大小的层集合。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="319"/>
        <source>%n choices</source>
        <translation>
            <numerusform>共 %n 种方案</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/overlappage.cpp" line="319"/>
        <source>%1 of %n choices</source>
        <translation>
            <numerusform>%1 / %n 种方案</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/overlappage.cpp" line="321"/>
        <source>Nothing has been measured on this teacher yet, so only rules and published sets are compared.</source>
        <translation>该教师模型尚无测量结果，因此只比较规则和已发表的集合。</translation>
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
        <location filename="../widgets/plots/overlapplot.cpp" line="277"/>
        <source>▴ chance %1</source>
        <translation>▴ 随机 %1</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/overlapplot.cpp" line="284"/>
        <source>%n choices; the arrow keys walk from cell to cell</source>
        <translation>
            <numerusform>共 %n 种方案；用方向键在格间移动</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::OverlapTable</name>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="77"/>
        <source>%1 is still being scored.</source>
        <translation>%1 仍在评分中。</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="77"/>
        <source>%1 has no set of %n layers.</source>
        <translation>
            <numerusform>%1 没有 %n 层的集合。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="85"/>
        <source>%1 keeps %n layers: %2.</source>
        <translation>
            <numerusform>%1 保留 %n 层：%2。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/models/overlaptable.cpp" line="88"/>
        <source>%1 and %2 share %3 of %n layers, J = %4; two random sets have %5 on average, and as much as this with p = %6.</source>
        <translation>
            <numerusform>%1 与 %2 共有 %n 层中的 %3 层，J = %4；两个随机集合平均为 %5，达到此值的概率 p = %6。</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="96"/>
        <source>choice</source>
        <translation>方案</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="96"/>
        <source>layers kept</source>
        <translation>保留的层</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="143"/>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <location filename="../widgets/models/overlaptable.cpp" line="146"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::PairStrips</name>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="45"/>
        <source>Layers of the two choices</source>
        <translation>两种方案的层</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="46"/>
        <source>← → Home End</source>
        <translation>← → Home End</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="46"/>
        <source>Walk along the layers</source>
        <translation>逐层移动</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="56"/>
        <source>%1 keeps layers %2; %3 keeps layers %4</source>
        <translation>%1 保留层 %2；%3 保留层 %4</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="118"/>
        <source>Layer %1: kept by both</source>
        <translation>第 %1 层：两者都保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="120"/>
        <source>Layer %1: only kept by %2</source>
        <translation>第 %1 层：仅 %2 保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="121"/>
        <source>Layer %1: kept by neither</source>
        <translation>第 %1 层：两者都不保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="129"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="129"/>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="129"/>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="156"/>
        <source>kept by both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="156"/>
        <source>only A</source>
        <translation>仅 A</translation>
    </message>
    <message>
        <location filename="../widgets/views/pairstrips.cpp" line="156"/>
        <source>only B</source>
        <translation>仅 B</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::PlotView</name>
    <message>
        <location filename="../widgets/plots/plotview.cpp" line="63"/>
        <location filename="../widgets/plots/tabletwin.cpp" line="123"/>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/plots/plotview.cpp" line="63"/>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <location filename="../widgets/plots/plotview.cpp" line="68"/>
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
        <location filename="../widgets/plots/tabletwin.cpp" line="126"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RankPlot</name>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="31"/>
        <source>Rank of every layer against training tokens</source>
        <translation>各层名次随训练词元的变化</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="32"/>
        <source>↑ ↓ Home End</source>
        <translation>↑ ↓ Home End</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="32"/>
        <source>Walk from rank to rank</source>
        <translation>逐名次移动</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="33"/>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="33"/>
        <source>Keep the selected layer as softmax, or let it go</source>
        <translation>将所选层保留为 softmax，或不再保留</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="39"/>
        <source>enters the best K</source>
        <translation>进入前 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="40"/>
        <source>leaves it</source>
        <translation>退出前 K</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="41"/>
        <source>is settled, trains no more</source>
        <translation>已定，不再训练</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="44"/>
        <source>training tokens of a layer</source>
        <translation>每层的训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="46"/>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="49"/>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="205"/>
        <source>K = %1</source>
        <translation>K = %1</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="247"/>
        <source>How the ranking of the layers comes about appears here.</source>
        <translation>各层排名的形成过程会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="249"/>
        <source>Who enters and leaves the best K appears here from the second evaluation on.</source>
        <translation>从第二次评估起，这里会显示谁进入、谁退出前 K。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="249"/>
        <source>This scoring measured its layers once:
there is no way to the ranking to show.</source>
        <translation>此次评分对各层只测量了一次：
没有名次变化过程可显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="251"/>
        <source>Ranks appear here once every layer has been evaluated.</source>
        <translation>每一层都评估过一次后，名次会显示在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="252"/>
        <source>No scores yet.
Press “Score layers”: who enters and leaves the best K appears here, live.</source>
        <translation>尚无评分。
按“为各层评分”：哪些层进入或退出前 K，会在这里实时显示。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="303"/>
        <source>after %1 tokens: %2 entered the best %3, %4 left</source>
        <translation>%1 词元后：%2 进入前 %3，%4 退出</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="307"/>
        <source>the best %1 never changed over %n evaluations</source>
        <translation>
            <numerusform>前 %1 在 %n 次评估中从未改变</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="313"/>
        <source>no ranks</source>
        <translation>无名次</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="315"/>
        <source>; %n settled early</source>
        <translation>
            <numerusform>；%n 层提前确定</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/rankplot.cpp" line="316"/>
        <source>%n layers; %1</source>
        <translation>
            <numerusform>共 %n 层；%1</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="338"/>
        <source>Layer %1: rank %2 after %3 tokens</source>
        <translation>第 %1 层：%3 词元后名次 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/rankplot.cpp" line="338"/>
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
    <name>stillroom::widgets::RunCurvesPlot</name>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="40"/>
        <source>KL in training (nats/token)</source>
        <translation>训练 KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="41"/>
        <source>held-out KL (nats/token)</source>
        <translation>留出 KL（纳特/词元）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="42"/>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="49"/>
        <source>Curves of the compared experiments</source>
        <translation>所比较实验的曲线</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="50"/>
        <source>L: logarithmic axis · [ ]: smoothing · R: everything in sight · drag and wheel: move and zoom</source>
        <translation>L：对数轴 · [ ]：平滑 · R：显示全部 · 拖动与滚轮：移动与缩放</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="69"/>
        <source>Logarithmic axis</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="70"/>
        <source>Less smoothing</source>
        <translation>减弱平滑</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="71"/>
        <source>More smoothing</source>
        <translation>增强平滑</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="72"/>
        <source>Everything in sight again</source>
        <translation>重新显示全部</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="184"/>
        <source>Select two to six runs on the Runs page and press D.</source>
        <translation>在“实验”页选中两到六个实验并按 D。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="184"/>
        <source>None of these experiments has such a curve.</source>
        <translation>这些实验都没有这样的曲线。</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="186"/>
        <source>training tokens</source>
        <translation>训练词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="186"/>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="186"/>
        <source>time since the first point (s)</source>
        <translation>自首点起的时间（秒）</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="271"/>
        <source>%1: %2 at %3</source>
        <translation>%1：%3 处为 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="281"/>
        <source>%1 ends at %2</source>
        <translation>%1 终于 %2</translation>
    </message>
    <message>
        <location filename="../widgets/plots/runcurvesplot.cpp" line="282"/>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::RunsPage</name>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="91"/>
        <source>Search: words, tag:paper, k=8, kl&lt;0.2, -status:failed</source>
        <translation>搜索：词语、tag:paper、k=8、kl&lt;0.2、-status:failed</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="92"/>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="93"/>
        <source>Parts between spaces must all hold: words; a text field and what it holds (tag:, kind:, teacher=); a number (k=8, kl&lt;0.2, recall&gt;=0.9). -part must not hold; quotes hold spaces together. (Ctrl+F)</source>
        <translation>以空格分开的各部分须全部成立：词语；文本字段及其内容（tag:、kind:、teacher=）；数值（k=8、kl&lt;0.2、recall&gt;=0.9）。-部分 表示不得成立；引号内可含空格。（Ctrl+F）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="98"/>
        <source>&amp;Together, all but the seed</source>
        <translation>合并仅种子不同者(&amp;T)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="99"/>
        <source>Experiments that differ in nothing but their seed become one line: mean ± 95 % interval (number of seeds)</source>
        <translation>仅种子不同的实验合为一行：均值 ± 95 % 区间（种子数）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="101"/>
        <source>T&amp;rash</source>
        <translation>回收站(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="102"/>
        <source>What was thrown away: select it and restore it</source>
        <translation>已丢弃的实验：选中即可还原</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="105"/>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="111"/>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="127"/>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="164"/>
        <source>&amp;Pin or unpin</source>
        <translation>固定或取消固定(&amp;P)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="165"/>
        <source>&amp;Baseline on or off</source>
        <translation>设为或取消基线(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="166"/>
        <source>Co&amp;mpare</source>
        <translation>比较(&amp;M)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="167"/>
        <source>Add &amp;tag…</source>
        <translation>添加标签(&amp;T)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="168"/>
        <source>Remove ta&amp;g…</source>
        <translation>移除标签(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="169"/>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="170"/>
        <source>Edit &amp;notes…</source>
        <translation>编辑备注(&amp;N)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="171"/>
        <location filename="../widgets/pages/runspage.cpp" line="243"/>
        <source>Move to the tras&amp;h</source>
        <translation>移到回收站(&amp;H)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="172"/>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="173"/>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="175"/>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="175"/>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="179"/>
        <source>Search the runs</source>
        <translation>搜索实验</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="204"/>
        <source>%n experiments</source>
        <translation>
            <numerusform>%n 个实验</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="204"/>
        <source>%1 of %2 experiments</source>
        <translation>%1 / %2 个实验</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="205"/>
        <source>No experiment is like that. Take a word out of the search.</source>
        <translation>没有符合的实验。请从搜索中去掉一个词。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="205"/>
        <source>The trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="205"/>
        <source>No runs yet. Score the layers of a teacher (Ctrl+R): what it finds stands here.</source>
        <translation>尚无实验。请给教师的各层评分（Ctrl+R）：结果会出现在这里。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="243"/>
        <source>&amp;Restore from the trash</source>
        <translation>从回收站还原(&amp;R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="346"/>
        <source>Add a tag</source>
        <translation>添加标签</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/runspage.cpp" line="346"/>
        <source>Tag for %n runs:</source>
        <translation>
            <numerusform>为 %n 个实验添加标签：</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="362"/>
        <source>Remove a tag</source>
        <translation>移除标签</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="362"/>
        <source>Tag:</source>
        <translation>标签：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="385"/>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="385"/>
        <source>Notes of the run:</source>
        <translation>该实验的备注：</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="397"/>
        <source>Pinned runs stay: unpin them (P) to throw them away.</source>
        <translation>已固定的实验会保留：先取消固定（P）再丢弃。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="410"/>
        <source>Two to six experiments can be compared, and %1 are selected.</source>
        <translation>可比较两到六个实验，现选中 %1 个。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/runspage.cpp" line="492"/>
        <source>There is no run %1 in this workspace, or it is in the trash.</source>
        <translation>此工作区中没有运行 %1，或它已在回收站中。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::Session</name>
    <message>
        <location filename="../widgets/models/session.cpp" line="315"/>
        <source>The run is not in this workspace any more.</source>
        <translation>此运行已不在该工作区中。</translation>
    </message>
    <message>
        <location filename="../widgets/models/session.cpp" line="423"/>
        <source>Cancelled. It can be resumed from its last checkpoint.</source>
        <translation>已取消。可从最后一个检查点继续。</translation>
    </message>
    <message>
        <location filename="../widgets/models/session.cpp" line="423"/>
        <source>Paused at its last checkpoint. It goes on when you resume it.</source>
        <translation>已在最后的检查点暂停，可随时继续。</translation>
    </message>
    <message>
        <location filename="../widgets/models/runtrash.cpp" line="14"/>
        <source>Move to the trash</source>
        <translation>移到回收站</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TeacherPage</name>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="34"/>
        <source>&amp;Score layers</source>
        <translation>为各层评分(&amp;S)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="53"/>
        <source>What the model is</source>
        <translation>模型概况</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="57"/>
        <source>About the model</source>
        <translation>关于模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="58"/>
        <source>&amp;What it is</source>
        <translation>模型概况(&amp;W)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="59"/>
        <source>Toke&amp;nizer</source>
        <translation>分词器(&amp;N)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="60"/>
        <source>Side &amp;by side</source>
        <translation>并排生成(&amp;B)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="61"/>
        <source>What tokens a text becomes</source>
        <translation>一段文本会变成哪些词元</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="62"/>
        <source>One prompt, continued by the teacher and its hybrids</source>
        <translation>同一提示，由教师模型和各混合模型分别续写</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="71"/>
        <source>&amp;Open folder…</source>
        <translation>打开文件夹(&amp;O)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="71"/>
        <source>Open &amp;GGUF…</source>
        <translation>打开 GGUF(&amp;G)…</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="71"/>
        <source>Open &amp;demo</source>
        <translation>打开演示(&amp;D)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="72"/>
        <source>A Hugging Face folder with config.json and safetensors (Ctrl+O)</source>
        <translation>含 config.json 和 safetensors 的 Hugging Face 文件夹 (Ctrl+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="73"/>
        <source>A GGUF file (Ctrl+Shift+O)</source>
        <translation>GGUF 文件 (Ctrl+Shift+O)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="74"/>
        <source>The 0.2 M parameter teacher that ships with the program</source>
        <translation>随程序附带的 0.2 M 参数教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="75"/>
        <source>Measure what each layer gains as a softmax layer (Ctrl+R)</source>
        <translation>测量每层作为 softmax 层的增益 (Ctrl+R)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="109"/>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="116"/>
        <location filename="../widgets/pages/teacherpage.cpp" line="163"/>
        <location filename="../widgets/pages/teacherpage.cpp" line="173"/>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="117"/>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="117"/>
        <source>%1, MLP %2 (%3)</source>
        <translation>%1，MLP %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118"/>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="118"/>
        <source>%1 query, %2 key/value, %3 wide</source>
        <translation>%1 个查询头，%2 个键/值头，宽 %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="119"/>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="119"/>
        <source>%1, head tied to the embedding</source>
        <translation>%1，输出头与嵌入共享</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="120"/>
        <location filename="../widgets/pages/teacherpage.cpp" line="142"/>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="120"/>
        <source>%1 (%2 as float32)</source>
        <translation>%1（float32 为 %2）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="121"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="121"/>
        <source>%1 tokens, RoPE base %2 (%3)</source>
        <translation>%1 词元，RoPE 基数 %2（%3）</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="122"/>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="122"/>
        <source>%1 per token (bf16)</source>
        <translation>每词元 %1 (bf16)</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="123"/>
        <source>Stored as</source>
        <translation>存储格式</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="124"/>
        <source>Features</source>
        <translation>特性</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="125"/>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="125"/>
        <source>understood</source>
        <translation>可识别</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="125"/>
        <source>none in the folder</source>
        <translation>文件夹中没有</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="132"/>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="132"/>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="132"/>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="133"/>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="133"/>
        <source>output head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="141"/>
        <source>Where the parameters are</source>
        <translation>参数分布</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="142"/>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="142"/>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="142"/>
        <source>As float32</source>
        <translation>按 float32</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="150"/>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="171"/>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="172"/>
        <source>a state of fixed size</source>
        <translation>固定大小的状态</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/pages/teacherpage.cpp" line="172"/>
        <source>sees the last %n tokens</source>
        <translation>
            <numerusform>可见最近 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="172"/>
        <source>sees the whole text</source>
        <translation>可见全文</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="182"/>
        <source>What a linear layer takes</source>
        <translation>一个线性层的开销</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="183"/>
        <source>Mixer</source>
        <translation>混合器</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="183"/>
        <source>Parameters a layer</source>
        <translation>每层参数</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="183"/>
        <source>State a layer</source>
        <translation>每层状态</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="183"/>
        <source>Does not carry over</source>
        <translation>不能带过去的</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="201"/>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="205"/>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="205"/>
        <source>not exact: %1</source>
        <translation>不精确：%1</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="241"/>
        <source>Open a teacher</source>
        <translation>打开教师模型</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="242"/>
        <source>A Hugging Face folder (Llama, Qwen2, Qwen3, Mistral, SmolLM2) or a GGUF file; drop it anywhere in this window.</source>
        <translation>Hugging Face 文件夹（Llama、Qwen2、Qwen3、Mistral、SmolLM2）或 GGUF 文件；拖放到此窗口任意位置。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="247"/>
        <source>This is a 0.2 M parameter teacher that can recall (its local heads were initialised, retrieval was learned). Drag K on the Layers page. Then open your own model.</source>
        <translation>这是一个能够回忆的 0.2 M 参数教师模型（局部头经过初始化，检索能力是学到的）。请在“层”页面拖动 K，然后打开您自己的模型。</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="248"/>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <location filename="../widgets/pages/teacherpage.cpp" line="250"/>
        <source>There is no tokenizer in the folder.</source>
        <translation>文件夹中没有分词器。</translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TokenMapPlot</name>
    <message>
        <location filename="../widgets/plots/tokenmapplot.cpp" line="47"/>
        <source>query token</source>
        <translation>查询词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tokenmapplot.cpp" line="48"/>
        <source>key token</source>
        <translation>键词元</translation>
    </message>
    <message>
        <location filename="../widgets/plots/tokenmapplot.cpp" line="54"/>
        <source>token %1 reads token %2 with %3</source>
        <translation>词元 %1 以权重 %3 读取词元 %2</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/plots/tokenmapplot.cpp" line="129"/>
        <source>%n tokens; the largest weight is %1</source>
        <translation>
            <numerusform>%n 个词元；最大权重为 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stillroom::widgets::TokenizerTryout</name>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="46"/>
        <source>Copy &amp;ids</source>
        <translation>复制编号(&amp;I)</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="48"/>
        <source>Text to be tokenised</source>
        <translation>待分词的文本</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="49"/>
        <source>Type or paste a text: its tokens appear below.</source>
        <translation>输入或粘贴一段文本：其词元显示在下方。</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="52"/>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="56"/>
        <source>The ids as a JSON array</source>
        <translation>以 JSON 数组形式复制编号</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/tokenizertryout.cpp" line="149"/>
        <source>%n tokens</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../widgets/views/tokenizertryout.cpp" line="149"/>
        <source> · %1 bytes · %2 bytes per token</source>
        <translation> · %1 字节 · 每词元 %2 字节</translation>
    </message>
    <message numerus="yes">
        <location filename="../widgets/views/tokenizertryout.cpp" line="155"/>
        <source>… and %n more</source>
        <translation>
            <numerusform>……另有 %n 个</numerusform>
        </translation>
    </message>
</context>
</TS>
